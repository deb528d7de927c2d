const list = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/).filter(Boolean));

/** Capitalised words that begin sentences or stand for other things than persons, places and organisations. Lower case. */
export const notNames = list(`
  i i'm i'll i've i'd im ok okay tv am pm ai it id lol omg wow asap diy pdf api url faq html css json sql http https usb dna
  ceo cto cfo phd mba vip pr hr btw fyi imo tbh rsvp eta
  monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays
  mon tue tues wed thu thur thurs fri sat sun
  january february march april may june july august september october november december
  jan feb mar apr jun jul aug sep sept oct nov dec
  english spanish french german italian chinese japanese korean indian american british mexican russian arabic dutch polish
  portuguese turkish greek swedish thai vietnamese european asian african latin irish scottish canadian australian
  christian muslim jewish buddhist hindu catholic christmas easter thanksgiving halloween ramadan diwali hanukkah
  god internet web earth covid
  mr mrs ms dr prof sir madam
  mom dad mum mama papa grandma grandpa granny auntie uncle aunt mommy daddy
  yes no yeah yep nope hi hey hello bye goodbye thanks thank sorry please sure wow great good nice cool awesome amazing
  congrats congratulations well oh ah hmm haha aww absolutely definitely exactly really actually honestly anyway also maybe
  perhaps today yesterday tomorrow tonight now then later soon recently lately finally first second third last next
  woah whoa woohoo anytime yay ugh aw awesome hang bet writing painting reading cooking playing working hopefully unfortunately luckily fortunately sometimes usually often always never ever still just only even since after
  before while when where why who what which how if because although though however therefore moreover besides instead
  meanwhile otherwise let lets let's keep take make get go come see look check try remember wait hope love like enjoy stay
  glad happy excited looking sounds feel feeling can could would should will shall may might must do does did have has had
  is are was were be been being not don't doesn't didn't can't couldn't won't wouldn't isn't aren't wasn't weren't
  my your his her its our their mine yours hers ours theirs me him us them you he she it we they this that these those there
  here some any all both each every everyone everybody everything someone somebody something anyone anybody anything nobody
  nothing none most many much more few several other another one two three four five six seven eight nine ten
  a an the and or but so for nor yet of in on at to from by with without about above across against along among around as
  behind below beneath beside between beyond despite down during except inside into near off onto out outside over past
  through throughout till toward towards under until up upon via within
  people kids friends family work life music food school home dinner lunch breakfast weekend time things`);

/** After these, a capitalised word is a person (or a pet, which memory treats alike). */
export const kin = list(`
  friend sister brother wife husband son daughter mother father mom dad mum boss colleague coworker cousin nephew niece uncle
  aunt grandma grandpa grandmother grandfather girlfriend boyfriend partner fiance fiancee roommate neighbor neighbour teacher
  coach mentor doctor therapist manager client dog cat puppy kitten pet pup pal buddy bestie twin kid baby`);

export const titles = list(
  "mr mrs ms miss dr prof professor sir madam aunt uncle auntie grandma grandpa captain coach judge president",
);

export const greetings = list(
  "hi hey hello dear thanks bye goodbye congrats congratulations sorry morning welcome",
);

/** What persons do, after a name at the beginning of a sentence. Forms that follow "she". */
export const personVerbs = list(`
  said says told tells asked asks thinks thought wants wanted loves loved likes liked hates hated lives lived works worked
  moved called calls texted met visited bought got went came made gave took knows knew feels felt plays played studies studied
  enjoys enjoyed prefers preferred needs needed hopes hoped plans planned invited suggested recommended mentioned agreed
  decided started joined married graduated cooked paints painted writes wrote teaches taught runs ran helped helps`);

export const organisationWords = list(`
  inc corp corporation ltd llc gmbh ag plc co company university college institute academy school bank foundation association
  hospital clinic museum library council committee agency ministry department club society group studio studios labs
  laboratories church center centre`);

export const placeWords = list(`
  street avenue road lane square park beach lake river mountain mountains mount mt island islands bay valley canyon forest
  city town village county province district bridge airport station falls coast desert ocean sea peninsula hills trail`);

/** Countries and large cities under the names that English text uses most. */
export const knownPlaces = list(`
  usa uk us eu america england scotland wales ireland britain france germany spain italy portugal netherlands belgium austria
  switzerland poland sweden norway denmark finland iceland greece turkey russia ukraine romania hungary croatia serbia
  bulgaria china japan korea taiwan india pakistan bangladesh nepal thailand vietnam indonesia malaysia singapore philippines
  australia canada mexico brazil argentina chile peru colombia cuba egypt morocco kenya nigeria ethiopia ghana israel jordan
  iran iraq qatar dubai europe asia africa california texas florida hawaii alaska oregon colorado arizona nevada utah
  washington boston chicago seattle denver miami houston dallas atlanta philadelphia phoenix portland detroit austin
  london paris berlin munich hamburg madrid barcelona rome milan venice florence vienna zurich geneva amsterdam brussels
  prague budapest warsaw stockholm oslo copenhagen helsinki dublin lisbon athens istanbul moscow kyiv tokyo kyoto osaka seoul
  beijing shanghai bangkok hanoi jakarta manila mumbai delhi sydney melbourne toronto vancouver montreal cairo nairobi lagos
  manchester birmingham liverpool leeds sheffield glasgow edinburgh cardiff swansea belfast newcastle nottingham leicester
  southampton portsmouth brighton cambridge oxford norwich plymouth exeter aberdeen dundee inverness galway limerick
  lyon marseille toulouse bordeaux nantes strasbourg lille grenoble montpellier cologne frankfurt stuttgart düsseldorf leipzig
  dresden hannover bremen nuremberg freiburg heidelberg salzburg innsbruck graz linz basel bern lausanne naples turin bologna
  palermo verona genoa seville malaga bilbao granada zaragoza porto coimbra braga rotterdam utrecht eindhoven groningen leiden
  antwerp ghent bruges leuven gothenburg malmö uppsala aarhus aalborg odense trondheim tromsø tampere turku reykjavik tallinn
  riga vilnius minsk kharkiv odesa lviv kraków krakow gdańsk gdansk wrocław wroclaw poznań łódź brno bratislava ljubljana
  zagreb belgrade sarajevo skopje bucharest cluj thessaloniki ankara izmir tbilisi yerevan baku tashkent almaty
  bangalore bengaluru hyderabad chennai kolkata pune ahmedabad jaipur kochi lucknow chandigarh goa kerala punjab karachi
  lahore islamabad dhaka colombo kathmandu yangon phnom saigon taipei busan fukuoka sapporo nagoya guangzhou shenzhen chengdu
  brisbane auckland wellington christchurch canberra hobart ottawa calgary edmonton winnipeg quebec halifax
  minneapolis milwaukee cleveland cincinnati pittsburgh baltimore nashville memphis tulsa omaha albuquerque tucson sacramento
  oakland tampa honolulu boise reno illinois ohio michigan minnesota wisconsin iowa kansas missouri louisiana alabama
  tennessee kentucky oklahoma nebraska wyoming montana idaho maine vermont massachusetts connecticut maryland pennsylvania
  johannesburg durban pretoria soweto harare lusaka kampala accra kumasi dakar abuja ibadan casablanca marrakesh marrakech
  tunis algiers tripoli beirut amman riyadh doha muscat kuwait tehran bogotá bogota medellín medellin quito lima caracas
  guadalajara monterrey oaxaca havana montevideo asunción brasília recife curitiba ontario alberta queensland tasmania
  catalonia andalusia tuscany sicily sardinia corsica crete bavaria provence normandy yorkshire cornwall`);

/** Frequent German words that English has not, to tell that every noun of a text has a capital. */
export const germanWords = list("und der die das nicht ist ich ein eine mit auf wir für");

const following = `and|or|but|so|because|cos|since|as|if|when|while|who|which|that|though|although|than|then|plus|at|in|on|for|from|by|with|
without|to|of|about|after|before|until|till|during|under|over|like|i|i['’]m|i['’]ve|im|ive|we|we['’]re|my|our|it|it['’]s|its|he|he['’]s|she|
she['’]s|they|your|you|this|these|those|now|today|again|anyway|actually|too|also|still|just|only|even|here|there|lately|currently|
originally|always|never|not|nor|no|myself|ourselves|btw|tbh|lol|haha|yesterday|last|next|any ?more|please|pls|really|mostly|
obviously|living|working|based|born|staying|studying|planning|trying|looking|moving|travell?ing|visiting|going|thinking|by the way`;

/**
 * Pattern of what may follow a word that stands for itself: the end, or a word that begins something else. "Vegan since May" is, "a
 * vegan restaurant" is not. With the flags `iu`.
 */
export const ends: string = String.raw`(?=\s*(?:[.,!?;:()…—¦]|$)|\s+[-–]\s|\s+(?:${following.replaceAll("\n", "")})(?![\p{L}'’-]))`;

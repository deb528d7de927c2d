import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cpuTime } from "../../../test/support/cpu-time.ts";
import { FluxTypeError } from "../../model/errors.ts";
import { type DateMention, type DateOptions, findDates } from "./find-dates.ts";
import { wallAt } from "./zone.ts";

/** A Wednesday. */
const at = Date.UTC(2023, 4, 24, 15, 30);

/** Start and end as wall time of the mention's zone, midnight left out. */
function show({ start, end, zone }: DateMention): string {
  const time = (instant: number): string =>
    new Date(wallAt(instant, zone)).toISOString().replace(":00.000Z", "").replace("T00:00", "");
  return `${time(start)}/${time(end)}`;
}

function only(text: string, options: DateOptions = { at }): DateMention {
  const found = findDates(text, options);
  expect(found).toHaveLength(1);
  return found[0] as DateMention;
}

// Text; the words; start and end; precision, and what bounds it. Said on Wednesday 24 May 2023 at 15:30.
const table: [string, string, string, string][] = [
  ["yesterday", "yesterday", "2023-05-23/2023-05-24", "day"],
  ["today", "today", "2023-05-24/2023-05-25", "day"],
  ["tomorrow morning", "tomorrow morning", "2023-05-25T05:00/2023-05-25T12:00", "hour"],
  ["the day before yesterday", "the day before yesterday", "2023-05-22/2023-05-23", "day"],
  ["last night", "last night", "2023-05-23T18:00/2023-05-24T06:00", "hour"],
  ["tonight", "tonight", "2023-05-24T18:00/2023-05-25T06:00", "hour"],
  ["this morning", "this morning", "2023-05-24T05:00/2023-05-24T12:00", "hour"],
  ["three days ago", "three days ago", "2023-05-21/2023-05-22", "day"],
  ["two weeks ago", "two weeks ago", "2023-05-08/2023-05-15", "week"],
  ["a week ago", "a week ago", "2023-05-15/2023-05-22", "week"],
  ["a month ago", "a month ago", "2023-04-01/2023-05-01", "month"],
  ["5 years ago", "5 years ago", "2018-01-01/2019-01-01", "year"],
  ["over 2 years ago", "2 years ago", "2021-01-01/2022-01-01", "year"],
  ["20 minutes ago", "20 minutes ago", "2023-05-24T15:10/2023-05-24T15:11", "minute"],
  ["3 hours ago", "3 hours ago", "2023-05-24T12:00/2023-05-24T13:00", "hour"],
  ["a year and a half ago", "a year and a half ago", "2021-11-01/2021-12-01", "month"],
  ["half a year ago", "half a year ago", "2022-11-01/2022-12-01", "month"],
  ["2 years and 3 months ago", "2 years and 3 months ago", "2021-02-01/2021-03-01", "month"],
  ["a few days ago", "a few days ago", "2023-05-20/2023-05-23", "day"],
  ["a couple of weeks ago", "a couple of weeks ago", "2023-05-08/2023-05-15", "week"],
  ["in two weeks", "in two weeks", "2023-06-05/2023-06-12", "week"],
  ["in 3 days", "in 3 days", "2023-05-27/2023-05-28", "day"],
  ["three weeks from now", "three weeks from now", "2023-06-12/2023-06-19", "week"],
  ["in the last three months", "the last three months", "2023-02-24/2023-05-25", "month"],
  ["over the past week", "past week", "2023-05-17/2023-05-25", "week"],
  ["the past few days", "the past few days", "2023-05-20/2023-05-25", "day"],
  ["for the next two weeks", "the next two weeks", "2023-05-24/2023-06-08", "week"],
  ["last week", "last week", "2023-05-15/2023-05-22", "week"],
  ["this week", "this week", "2023-05-22/2023-05-29", "week"],
  ["next week", "next week", "2023-05-29/2023-06-05", "week"],
  ["the week before last", "the week before last", "2023-05-08/2023-05-15", "week"],
  ["last weekend", "last weekend", "2023-05-20/2023-05-22", "day"],
  ["this weekend", "this weekend", "2023-05-27/2023-05-29", "day"],
  ["this past weekend", "this past weekend", "2023-05-20/2023-05-22", "day"],
  ["next month", "next month", "2023-06-01/2023-07-01", "month"],
  ["last month", "last month", "2023-04-01/2023-05-01", "month"],
  ["this month", "this month", "2023-05-01/2023-06-01", "month"],
  ["last year", "last year", "2022-01-01/2023-01-01", "year"],
  ["last year's trip", "last year's", "2022-01-01/2023-01-01", "year"],
  ["next quarter", "next quarter", "2023-07-01/2023-10-01", "quarter"],
  ["last decade", "last decade", "2010-01-01/2020-01-01", "year"],
  ["last Friday", "last Friday", "2023-05-19/2023-05-20", "day"],
  ["next Friday", "next Friday", "2023-06-02/2023-06-03", "day"],
  ["this Friday", "this Friday", "2023-05-26/2023-05-27", "day"],
  ["on Friday", "Friday", "2023-05-26/2023-05-27", "day"],
  ["on Tuesday", "Tuesday", "2023-05-23/2023-05-24", "day"],
  ["I went on Saturday", "Saturday", "2023-05-20/2023-05-21", "day"],
  ["I'll see you on Monday", "Monday", "2023-05-29/2023-05-30", "day"],
  ["Friday night", "Friday night", "2023-05-26T18:00/2023-05-27T06:00", "hour"],
  ["last Tuesday at 5pm", "last Tuesday at 5pm", "2023-05-23T17:00/2023-05-23T17:01", "minute"],
  ["Tuesday last week", "Tuesday last week", "2023-05-16/2023-05-17", "day"],
  ["in May", "May", "2023-05-01/2023-06-01", "month"],
  ["in May 2023", "May 2023", "2023-05-01/2023-06-01", "month"],
  ["last May", "last May", "2022-05-01/2022-06-01", "month"],
  ["next March", "next March", "2024-03-01/2024-04-01", "month"],
  ["in March", "March", "2023-03-01/2023-04-01", "month"],
  ["this June", "this June", "2023-06-01/2023-07-01", "month"],
  ["since January", "January", "2023-01-01/2023-02-01", "month since"],
  ["by July", "July", "2023-07-01/2023-08-01", "month until"],
  ["May of last year", "May of last year", "2022-05-01/2022-06-01", "month"],
  ["late August", "late August", "2023-08-21/2023-09-01", "month"],
  ["in early June 2022", "early June 2022", "2022-06-01/2022-06-11", "month"],
  ["mid-2021", "mid-2021", "2021-05-03/2021-09-02", "year"],
  ["in 2019", "2019", "2019-01-01/2020-01-01", "year"],
  ["since 2019", "2019", "2019-01-01/2020-01-01", "year since"],
  ["(2018)", "2018", "2018-01-01/2019-01-01", "year"],
  ["from 2010 to 2015", "2010 to 2015", "2010-01-01/2016-01-01", "year"],
  ["2010-2015", "2010-2015", "2010-01-01/2016-01-01", "year"],
  ["the 1990s", "the 1990s", "1990-01-01/2000-01-01", "year"],
  ["in the 90s", "the 90s", "1990-01-01/2000-01-01", "year"],
  ["the early 2000s", "the early 2000s", "2000-01-01/2003-01-01", "year"],
  ["Q3 2025", "Q3 2025", "2025-07-01/2025-10-01", "quarter"],
  ["3Q24", "3Q24", "2024-07-01/2024-10-01", "quarter"],
  ["Q1", "Q1", "2023-01-01/2023-04-01", "quarter"],
  ["the third quarter of last year", "the third quarter of last year", "2022-07-01/2022-10-01", "quarter"],
  ["H1 2024", "H1 2024", "2024-01-01/2024-07-01", "quarter"],
  ["first half of 2022", "first half of 2022", "2022-01-01/2022-07-01", "quarter"],
  ["summer 2022", "summer 2022", "2022-06-01/2022-09-01", "season"],
  ["last summer", "last summer", "2022-06-01/2022-09-01", "season"],
  ["this winter", "this winter", "2023-12-01/2024-03-01", "season"],
  ["next fall", "next fall", "2023-09-01/2023-12-01", "season"],
  ["last winter", "last winter", "2022-12-01/2023-03-01", "season"],
  ["winter of 2021", "winter of 2021", "2021-12-01/2022-03-01", "season"],
  ["2023-W19", "2023-W19", "2023-05-08/2023-05-15", "week"],
  ["week 32 of 2022", "week 32 of 2022", "2022-08-08/2022-08-15", "week"],
  ["the week of May 5", "the week of May 5", "2023-05-01/2023-05-08", "week"],
  ["the week after next", "the week after next", "2023-06-05/2023-06-12", "week"],
  ["2 days after Christmas", "2 days after Christmas", "2022-12-27/2022-12-28", "day"],
  ["the Sunday before 25 May 2023", "the Sunday before 25 May 2023", "2023-05-21/2023-05-22", "day"],
  ["two days after May 5, 2023", "two days after May 5, 2023", "2023-05-07/2023-05-08", "day"],
  ["5 May 2023", "5 May 2023", "2023-05-05/2023-05-06", "day"],
  ["May 5th", "May 5th", "2023-05-05/2023-05-06", "day"],
  ["5th of May", "5th of May", "2023-05-05/2023-05-06", "day"],
  ["on December 25", "December 25", "2022-12-25/2022-12-26", "day"],
  ["May 5, 2023 at 3pm", "May 5, 2023 at 3pm", "2023-05-05T15:00/2023-05-05T15:01", "minute"],
  ["Monday, May 8, 2023", "Monday, May 8, 2023", "2023-05-08/2023-05-09", "day"],
  ["at 3pm tomorrow", "3pm tomorrow", "2023-05-25T15:00/2023-05-25T15:01", "minute"],
  ["tomorrow at 5", "tomorrow", "2023-05-25/2023-05-26", "day"],
  ["tomorrow at 5pm", "tomorrow at 5pm", "2023-05-25T17:00/2023-05-25T17:01", "minute"],
  ["3pm", "3pm", "2023-05-24T15:00/2023-05-24T15:01", "minute"],
  ["15:30", "15:30", "2023-05-24T15:30/2023-05-24T15:31", "minute"],
  ["noon on Friday", "noon on Friday", "2023-05-26T12:00/2023-05-26T12:01", "minute"],
  ["between May 5 and May 10, 2023", "May 5 and May 10, 2023", "2023-05-05/2023-05-11", "day"],
  ["May 5-10, 2023", "May 5-10, 2023", "2023-05-05/2023-05-11", "day"],
  ["from May to July 2023", "May to July 2023", "2023-05-01/2023-08-01", "month"],
  ["from Monday to Friday", "Monday to Friday", "2023-05-22/2023-05-27", "day"],
  ["December 30 to January 2", "December 30 to January 2", "2022-12-30/2023-01-03", "day"],
  ["2023-05-08", "2023-05-08", "2023-05-08/2023-05-09", "day"],
  ["2023-05-08T13:56", "2023-05-08T13:56", "2023-05-08T13:56/2023-05-08T13:57", "minute"],
  ["5/6/2023", "5/6/2023", "2023-05-06/2023-05-07", "day"],
  ["31/12/2022", "31/12/2022", "2022-12-31/2023-01-01", "day"],
  ["31.12.2022", "31.12.2022", "2022-12-31/2023-01-01", "day"],
  ["on Christmas Eve", "Christmas Eve", "2022-12-24/2022-12-25", "day"],
  ["last Thanksgiving", "last Thanksgiving", "2022-11-24/2022-11-25", "day"],
  ["Easter 2024", "Easter 2024", "2024-03-31/2024-04-01", "day"],
  ["Halloween 2022", "Halloween 2022", "2022-10-31/2022-11-01", "day"],
  ["until Friday", "Friday", "2023-05-26/2023-05-27", "day until"],
  ["before June 2022", "June 2022", "2022-06-01/2022-07-01", "month before"],
  ["the end of last year", "the end of last year", "2022-09-02/2023-01-01", "year"],
  ["Feb 29", "Feb 29", "2024-02-29/2024-03-01", "day"],
  ["on the 15th", "the 15th", "2023-05-15/2023-05-16", "day"],
  ["May 2022 - June 2023", "May 2022 - June 2023", "2022-05-01/2023-07-01", "month"],
  ["Sept 2021", "Sept 2021", "2021-09-01/2021-10-01", "month"],
  ["Jan '21", "Jan '21", "2021-01-01/2021-02-01", "month"],
  ["1 May 2023 5pm", "1 May 2023 5pm", "2023-05-01T17:00/2023-05-01T17:01", "minute"],
  [
    "The outage was resolved on March 23 - March 30, 2024",
    "March 23 - March 30, 2024",
    "2024-03-23/2024-03-31",
    "day",
  ],
  ["We improved it from 28 days to 18 by May 15", "May 15", "2023-05-15/2023-05-16", "day until"],
  ["two days after Friday", "two days after Friday", "2023-05-28/2023-05-29", "day"],
  ["Tuesday, June 5", "Tuesday, June 5", "2023-06-05/2023-06-06", "day"],
  ["we got married on the 3rd of June, 2015", "3rd of June, 2015", "2015-06-03/2015-06-04", "day"],
  ["she started in the summer of '69", "summer of '69", "1969-06-01/1969-09-01", "season"],
  ["between 2015 and 2018", "2015 and 2018", "2015-01-01/2019-01-01", "year"],
  ["from 9am to 5pm", "9am to 5pm", "2023-05-24T09:00/2023-05-24T17:00", "minute"],
  ["from Monday until Wednesday", "Monday until Wednesday", "2023-05-22/2023-05-25", "day"],
  ["during the week of June 5th", "the week of June 5th", "2023-06-05/2023-06-12", "week"],
  ["the first week of June", "the first week of June", "2023-06-01/2023-06-08", "week"],
  ["first week of last month", "first week of last month", "2023-04-01/2023-04-08", "week"],
  ["at the end of the month", "the end of the month", "2023-05-21/2023-06-01", "month"],
  ["end of May", "end of May", "2023-05-21/2023-06-01", "month"],
  ["two and a half years ago", "two and a half years ago", "2020-11-01/2020-12-01", "month"],
  ["the night before last", "the night before last", "2023-05-22T18:00/2023-05-23T06:00", "hour"],
  ["Sunday, 21 May", "Sunday, 21 May", "2023-05-21/2023-05-22", "day"],
  ["we marry in June.", "June", "2023-06-01/2023-07-01", "month"],
  ["since Sept. last year", "Sept. last year", "2022-09-01/2022-10-01", "month since"],
  ["mid May", "mid May", "2023-05-11/2023-05-21", "month"],
  ["Friday the 13th", "Friday the 13th", "2023-01-13/2023-01-14", "day"],
  ["the last day of June", "the last day of June", "2023-06-30/2023-07-01", "day"],
  ["13:00-15:00 on 4 June 2023", "13:00-15:00 on 4 June 2023", "2023-06-04T13:00/2023-06-04T15:00", "minute"],
  ["last night at 11pm", "last night at 11pm", "2023-05-23T23:00/2023-05-23T23:01", "minute"],
  ["the 2nd week of March 2022", "the 2nd week of March 2022", "2022-03-08/2022-03-15", "week"],
  ["1/2/2023 3:30 pm", "1/2/2023 3:30 pm", "2023-01-02T15:30/2023-01-02T15:31", "minute"],
  ["May 1st through May 3rd", "May 1st through May 3rd", "2023-05-01/2023-05-04", "day"],
  ["dinner at 7:30", "7:30", "2023-05-24T07:30/2023-05-24T07:31", "minute"],
  ["see you Saturday 10 AM", "Saturday 10 AM", "2023-05-27T10:00/2023-05-27T10:01", "minute"],
  ["the meeting (10:00 AM - 10:05 AM)", "10:00 AM - 10:05 AM", "2023-05-24T10:00/2023-05-24T10:05", "minute"],
];

test.each(table)("%s", (text, words, span, rest) => {
  const mention = only(text);
  expect(mention.words).toBe(words);
  expect(show(mention)).toBe(span);
  expect([mention.precision, mention.bound].filter(Boolean).join(" ")).toBe(rest);
  expect(text.slice(mention.span.start, mention.span.end)).toBe(words);
});

test.each([
  "years ago",
  "in a minute",
  "twice in a week",
  "every Friday",
  "Black Friday",
  "Fridays",
  "sat in the sun",
  "May and June came",
  "I may go, march on",
  "the 2020 election",
  "he earned in 2000 dollars",
  "the fall of Rome",
  "the week after",
  "a week before my birthday",
  "at 7",
  "1/2 cup",
  "24/7",
  "version 1.2.3",
  "call 555-1234",
  "Christmas",
  "12 people",
  "I'm 25 years old",
  "room 2019",
  "20230508",
  "6 months",
  "every Monday, Wednesday and Friday",
  "The Thursday Murder Club",
  "",
  "I love you",
  "我昨天去了北京",
  "30 February 2023",
  "John 3:16",
  "I gave it to May and June",
  "10 days after the wedding",
  "a ratio of 16:9",
  "Q1: What is it?",
  "2023-13-45",
  "9000 decades ago",
  "May I come in?",
])("nothing is invented where there is no date: %s", (text) => {
  expect(findDates(text, { at })).toEqual([]);
});

test("without the text's own time, only dates that stand for themselves are found", () => {
  const text =
    "yesterday, on 5 May 2023, in May, last Friday, at 3pm, May 5, 2 days ago, Q3, last summer, on Christmas, in 2019";
  expect(findDates(text).map(({ words }) => words)).toEqual(["5 May 2023", "2019"]);
});

test("times told from another time take the last one before them", () => {
  const text = "I arrived on May 5. The week after, I left. Two days later we met.";
  expect(findDates(text, { at }).map((mention) => `${mention.words} ${show(mention)}`)).toEqual([
    "May 5 2023-05-05/2023-05-06",
    "The week after 2023-05-08/2023-05-15",
    "Two days later 2023-05-16/2023-05-17",
  ]);
});

test("several dates come in the order of the text", () => {
  const text = "We met last Friday, moved in June 2021 and will marry on 2 September 2024.";
  expect(findDates(text, { at }).map(({ words }) => words)).toEqual([
    "last Friday",
    "June 2021",
    "2 September 2024",
  ]);
});

describe("zones", () => {
  // Said at; zone; text; start and end in UTC.
  test.each<[string, string, string, string, string]>([
    ["2024-03-11T12:00Z", "America/New_York", "yesterday", "2024-03-10T05:00Z", "2024-03-11T04:00Z"],
    ["2024-11-03T20:00Z", "America/New_York", "today", "2024-11-03T04:00Z", "2024-11-04T05:00Z"],
    ["2024-03-10T12:00Z", "America/New_York", "2024-03-10 02:30", "2024-03-10T07:30Z", "2024-03-10T07:31Z"],
    ["2024-03-10T12:00Z", "America/New_York", "at 2:30 am today", "2024-03-10T07:30Z", "2024-03-10T07:31Z"],
    ["2024-03-10T12:00Z", "America/New_York", "2024-11-03T01:30", "2024-11-03T05:30Z", "2024-11-03T05:31Z"],
    ["2024-03-10T08:30Z", "America/New_York", "3 hours ago", "2024-03-10T05:00Z", "2024-03-10T06:00Z"],
    ["2024-03-31T22:30Z", "Europe/Berlin", "yesterday", "2024-03-30T23:00Z", "2024-03-31T22:00Z"],
    ["2024-03-31T22:30Z", "UTC", "yesterday", "2024-03-30T00:00Z", "2024-03-31T00:00Z"],
    ["2023-05-24T18:20Z", "Asia/Kathmandu", "today", "2023-05-24T18:15Z", "2023-05-25T18:15Z"],
    ["2023-05-24T23:30Z", "Pacific/Kiritimati", "yesterday", "2023-05-23T10:00Z", "2023-05-24T10:00Z"],
    ["2018-11-04T12:00Z", "America/Sao_Paulo", "today", "2018-11-04T03:00Z", "2018-11-05T02:00Z"],
    ["2024-04-07T03:00Z", "Australia/Lord_Howe", "today", "2024-04-06T13:00Z", "2024-04-07T13:30Z"],
    ["2024-04-15T00:00Z", "+05:45", "last month", "2024-02-29T18:15Z", "2024-03-31T18:15Z"],
    ["2023-05-24T03:00Z", "America/St_Johns", "today", "2023-05-24T02:30Z", "2023-05-25T02:30Z"],
    [
      "2023-05-24T03:00Z",
      "Asia/Tokyo",
      "2023-05-08T13:56:00+08:00",
      "2023-05-08T05:56Z",
      "2023-05-08T05:56:01Z",
    ],
    ["2023-05-24T03:00Z", "Asia/Tokyo", "2023-05-08T13:56:00Z", "2023-05-08T13:56Z", "2023-05-08T13:56:01Z"],
    ["2023-05-24T03:00Z", "Asia/Tokyo", "2023-05-08T13:56", "2023-05-08T04:56Z", "2023-05-08T04:57Z"],
    ["2023-05-24T03:00Z", "Asia/Tokyo", "8 May 2023 13:56 UTC+2", "2023-05-08T11:56Z", "2023-05-08T11:57Z"],
    [
      "2023-05-24T03:00Z",
      "Asia/Tokyo",
      "next Tuesday, June 6 at 10:00 am EST",
      "2023-06-06T15:00Z",
      "2023-06-06T15:01Z",
    ],
    ["2023-05-24T03:00Z", "Asia/Tokyo", "May 8, 2023 at 5pm PT", "2023-05-09T00:00Z", "2023-05-09T00:01Z"],
    [
      "2023-05-24T03:00Z",
      "Asia/Tokyo",
      "January 8, 2023 at 5pm PT",
      "2023-01-09T01:00Z",
      "2023-01-09T01:01Z",
    ],
  ])("%s in %s: %s", (said, zone, text, start, end) => {
    const mention = only(text, { at: Date.parse(said), zone });
    expect([mention.start, mention.end].map((time) => new Date(time).toISOString())).toEqual(
      [start, end].map((time) => new Date(time).toISOString()),
    );
  });

  test("the zone that the words name is kept, else the given one", () => {
    const zones = ["2023-05-08T13:56:00+08:00", "at 3pm EST", "at 5pm PT", "2023-05-08T13:56Z", "today"];
    expect(zones.map((text) => only(text, { at, zone: "Asia/Tokyo" }).zone)).toEqual([
      "+08:00",
      "-05:00",
      "America/Los_Angeles",
      "UTC",
      "Asia/Tokyo",
    ]);
  });

  test("an offset that there is not is no zone", () => {
    expect(findDates("2023-05-08T13:56:00+99:99").map(({ zone }) => zone)).not.toContain("+99:99");
  });

  test("a day that a zone left out is no time", () => {
    const options = { at: Date.parse("2012-01-05T00:00Z"), zone: "Pacific/Apia" };
    expect(findDates("30 December 2011", options)).toEqual([]);
    expect(findDates("31 December 2011", options)).toHaveLength(1);
  });

  test.each(["Mars/Olympus", "", "+5", "+24:00", "-05:60", "local"])("%s is refused", (zone) => {
    expect(() => findDates("today", { at, zone })).toThrow(FluxTypeError);
  });

  test("a time that is no number is refused", () => {
    for (const no of [Number.NaN, 8.64e15 + 1, new Date(), "2023"])
      expect(() => findDates("today", { at: no as number })).toThrow(FluxTypeError);
  });
});

test("figures with slashes follow the given order, and the seasons the hemisphere", () => {
  expect(show(only("5/6/2023", { dateOrder: "dmy" }))).toBe("2023-06-05/2023-06-06");
  expect(show(only("last summer", { at, hemisphere: "south" }))).toBe("2022-12-01/2023-03-01");
  expect(show(only("winter 2022", { at, hemisphere: "south" }))).toBe("2022-06-01/2022-09-01");
});

const words = [
  "yesterday",
  "May",
  "5",
  "2023",
  "last",
  "week",
  "two",
  "days",
  "after",
  "Friday",
  "at",
  "3pm",
  "the",
  "to",
  "-",
  ",",
  "Q3",
  "half",
  "summer",
  "of",
  "a few",
  "ago",
  "before",
  "Christmas",
  "2023-05-08T10:00",
  "EST",
  "9999",
  "\ud800",
  "\0",
];
const sentences = fc.array(fc.constantFrom(...words), { maxLength: 20 }).map((list) => list.join(" "));
const zones = fc.constantFrom(
  "UTC",
  "America/New_York",
  "Pacific/Apia",
  "Asia/Kathmandu",
  "+13:45",
  "Africa/Casablanca",
);

const times = fc.oneof(
  fc.integer({ min: -5e13, max: 5e13 }),
  fc.maxSafeInteger().map((at) => at % 8.64e15),
  fc.constantFrom(-8.64e15, 8.64e15),
);

test("mentions are half-open, in order, without overlaps, and quote the text", () => {
  fc.assert(
    fc.property(sentences, zones, times, (text, zone, said) => {
      let end = 0;
      for (const mention of findDates(text, { at: said, zone })) {
        expect(mention.start).toBeLessThan(mention.end);
        expect(mention.span.start).toBeGreaterThanOrEqual(end);
        expect(text.slice(mention.span.start, mention.span.end)).toBe(mention.words);
        end = mention.span.end;
      }
    }),
    { numRuns: 500 },
  );
});

test("any string has an answer", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => void findDates(text, { at })),
  );
});

test.each([
  "1 ",
  "May 5 ",
  "a",
  "in two ",
  "1/2/2023 ",
  "last ",
  "9",
  " ",
  "2019-",
  "the week of ",
  "😀",
  "at 5",
])("%j over and over takes linear time", (unit) => {
  const text = unit.repeat(Math.ceil(30_000 / unit.length));
  expect(cpuTime(() => findDates(text, { at }))).toBeLessThan(10_000);
});

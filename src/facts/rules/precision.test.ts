import { describe, expect, test } from "vitest";
import { claimsInWords } from "./claims-in-words.ts";

describe("what looks like a list and is one thing stays whole", () => {
  test.each([
    ["I can't stand hot and sticky weather.", "user dislikes hot and sticky weather"],
    [
      "I dislike games with long cutscenes or slow fights.",
      "user dislikes games with long cutscenes or slow fights",
    ],
    ["I don't enjoy going to museums or galleries.", "user likes going to museums or galleries (denied)"],
    ["I'm not a fan of modern, minimalist lobbies.", "user likes modern, minimalist lobbies (denied)"],
    ["I enjoy pottery and board games.", "user likes pottery", "user likes board games"],
    ["I own a kayak and a tent.", "user owns kayak"],
  ])("%s", (text, ...claims) => expect(claimsInWords(text)).toEqual(claims));
});

describe("what is of the moment, of the task or of the joke gives nothing", () => {
  test.each([
    "My cats Photo and Video folders are synced.",
    "Name: Input field for the user",
    "She goes by Mo, short for Maureen.",
    "I've been at Heathrow since noon.",
    "I spent 3 months at Grandma's.",
    "I failed the login test.",
    "I left the club at midnight.",
    "I swapped my Button for a Link component.",
    "I'm in the army of fans.",
    "My eyes are green with envy.",
    "I've gone off the rails.",
    "Son of Saul is a great film.",
    "Deleted the Instagram post by accident.",
    "I moved to the next level.",
    "Note that x is 5.",
    "Big fan noise in my PC.",
    "Going to Rome is expensive.",
    "I like my steak rare.",
    "I prefer the blue one for this slide.",
    "I love the beach town idea!",
    "I'm keen on booking the second hotel right now.",
    "I'm using Docker 23.0.1 and want to make sure it runs.",
    "My goal is to keep the latency under 250ms.",
    "I want to switch to a more efficient approach.",
    "I want to buy my mom a present.",
    "I'm planning to visit the store on June 5.",
    "I'll start my swimming session tomorrow at 7 AM.",
    "I'm planning a holiday cooking video series.",
    "We have 6 outcomes.",
    "I have a 45-minute TV interview on Monday.",
    "We have a baby on the way.",
    "My mom is an excellent baker.",
    "I went to Safeway on March 15.",
    "To show that I'm engaged, I nod a lot.",
    "I work as hard as I can.",
    "My job is at a bank.",
    "I signed up for a free trial.",
    "I won the lottery, just kidding.",
    "Oh sure, I just love waiting in line.",
    "What keto meals can Jeffrey and I cook together every Friday night.",
    "I'm getting my Snake Plant today.",
    "I'm flying home on Sunday.",
    "I'm driving up every second Sunday.",
    "We're pulling the last beetroot this weekend.",
    "I am going to ask him to marry me at Easter.",
    "i dont do meetings on fridays",
    "His exact words were: I have never owned a television.",
  ])("%s", (text) => expect(claimsInWords(text)).toEqual([]));
});

describe("an object ends where what is said of it begins", () => {
  test.each([
    ["I drink way too much coffee lol.", "user drinks coffee"],
    ["I prefer Rust on the side.", "user prefers Rust"],
    ["I've been learning Korean on Duolingo.", "user learning Korean", "user uses Duolingo"],
    ["I'm learning to play the drums at 35, pray for me.", "user learning to play the drums"],
    ["I'm not into team sports, tbh.", "user likes team sports (denied)"],
    ["My favorite season is fall, hands down.", "user favorite_season fall"],
    ["I'm planning a trip to Chicago in a few weeks.", "user plans_to trip to Chicago"],
    ['I\'m reading "Your Money or Your Life".', "user reading Your Money or Your Life"],
    ["I don't drink milk, only oat milk.", "user drinks milk (denied)", "user drinks oat milk"],
    ["I dislike any form of camping.", "user dislikes camping"],
    [
      "My daughter is allergic to cashews and pistachios specifically, peanuts are fine.",
      "user's daughter allergic_to cashews",
      "user's daughter allergic_to pistachios",
    ],
    ["I don't eat pork, and please no alcohol in recipes.", "user eats pork (denied)"],
    ["My zodiac sign is Capricorn, birthday on the 9th.", "user zodiac_sign Capricorn"],
    ["I live in Graz, Linz is where the office is.", "user lives_in Graz"],
    ["I live in Portland, Oregon.", "user lives_in Portland, Oregon"],
    ["We moved to a village near Groningen in March.", "user lives_in village near Groningen"],
    ["I'd love to see the northern lights at least once.", "user wants_to see the northern lights"],
    ["We're three founders.", "user works_as founder"],
    ["The rent here is 1,120 euros.", "user rent 1,120 euros"],
  ])("%s", (text, ...claims) => expect(claimsInWords(text)).toEqual(claims));
});

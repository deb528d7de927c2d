import { randomUUID } from "node:crypto";
import type { Message } from "../src/index.ts";

const words =
  "meeting coffee Porto tomorrow invoice because garden again weather nobody train remember seven kitchen";
const vocabulary = words.split(" ");

export const agents = ["planner", "writer"] as const;

/** A message of about 150 characters, another one for each number. */
export function sampleMessage(number: number, session: string): Message {
  let content = `Message ${number}:`;
  for (let i = 0; content.length < 145; i++)
    content += ` ${vocabulary[(number * 7 + i * i) % vocabulary.length]}`;
  return {
    sessionId: session,
    agentId: agents[number % agents.length] ?? agents[0],
    role: number % 2 === 0 ? "user" : "assistant",
    content,
    saidAt: 1_750_000_000_000 + number * 1000,
  };
}

/** Operation ids without order, as most applications give them. */
export function newOperation(): string {
  return randomUUID();
}

export function users(count: number): readonly string[] {
  return Array.from({ length: count }, (_, i) => `user-${i}`);
}

/** Numbers that follow on one another without end, for whoever asks next. */
export function counter(): () => number {
  let next = 0;
  return () => next++;
}

import { expect, test } from "vitest";
import type { HistoryMessage } from "./history.ts";
import { transcriptOf } from "./transcript.ts";

test("a transcript has calls and results in order, and neither what was asked nor the answer", () => {
  const toolCalls = [{ id: "c1", name: "orders", arguments: { open: true } }];
  const messages = [
    { role: "system", content: "Be brief." },
    { role: "user", content: "What did I order?" },
    { role: "assistant", content: "Let me look.", toolCalls },
    { role: "tool", content: "1 lamp", name: "orders", toolCallId: "c1" },
    { role: "assistant", content: "", toolCalls: [] },
    { role: "assistant", content: "A lamp." },
  ];
  expect(transcriptOf(messages)).toEqual([messages[2], messages[3]]);
  expect(transcriptOf(messages.slice(0, 2))).toEqual([]);
  expect(() => transcriptOf("tool" as never)).toThrow(expect.objectContaining({ code: "invalid_argument" }));
});

test("a history is taken as it is, and calls in a form of a provider's own are refused", () => {
  const history = (toolCalls: HistoryMessage["toolCalls"]): readonly HistoryMessage[] => [
    { role: "user", content: "What did I order?" },
    { role: "assistant", content: "", toolCalls },
  ];
  const toolCalls = [{ id: "c1", name: "orders", arguments: { open: true } }];
  expect(transcriptOf(history(toolCalls))).toEqual([{ role: "assistant", content: "", toolCalls }]);
  const refused = [null, "orders", {}, [null], [{ id: "c1", function: { name: "orders" } }]];
  for (const calls of refused) {
    expect(() => transcriptOf(history(calls))).toThrow(
      expect.objectContaining({ code: "invalid_argument", hint: expect.stringContaining("name") }),
    );
  }
});

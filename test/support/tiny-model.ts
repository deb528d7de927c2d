import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Writes a model that transformers.js can load: a table with one vector a word, as an ONNX graph of one node. Its words are
 * the keys; those that it does not know have the zero vector, as do the tokens in front and behind.
 */
export async function writeTinyModel(
  folder: string,
  words: Readonly<Record<string, readonly number[]>>,
): Promise<void> {
  const size = Object.values(words)[0]?.length ?? 0;
  const special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"];
  const tokens = [...special, ...Object.keys(words)];
  const rows = tokens.map((token) => words[token] ?? Array.from({ length: size }, () => 0));
  const ids = Object.fromEntries(tokens.map((token, id) => [token, id]));
  await mkdir(join(folder, "onnx"), { recursive: true });
  const files = {
    "config.json": {
      model_type: "bert",
      architectures: ["BertModel"],
      hidden_size: size,
      vocab_size: tokens.length,
    },
    "tokenizer_config.json": {
      ...{ tokenizer_class: "BertTokenizer", model_max_length: 16 },
      ...{ pad_token: "[PAD]", unk_token: "[UNK]", cls_token: "[CLS]", sep_token: "[SEP]" },
    },
    "tokenizer.json": {
      version: "1.0",
      added_tokens: special.map((content, id) => ({ id, content, special: true })),
      normalizer: { type: "BertNormalizer", clean_text: true, handle_chinese_chars: true, lowercase: true },
      pre_tokenizer: { type: "BertPreTokenizer" },
      post_processor: { type: "BertProcessing", sep: ["[SEP]", 3], cls: ["[CLS]", 2] },
      decoder: { type: "WordPiece", prefix: "##", cleanup: true },
      model: { type: "WordPiece", unk_token: "[UNK]", continuing_subword_prefix: "##", vocab: ids },
    },
  };
  for (const [name, content] of Object.entries(files))
    await writeFile(join(folder, name), JSON.stringify(content));
  await writeFile(join(folder, "onnx/model.onnx"), gatherModel(rows));
}

/** `last_hidden_state = rows[input_ids]`, with the field numbers of onnx.proto. */
function gatherModel(rows: readonly (readonly number[])[]): Uint8Array {
  const values = Float32Array.from(rows.flat());
  const table = [
    ...field(1, [rows.length]),
    ...field(1, [rows[0]?.length ?? 0]),
    ...field(2, [elementType.float]),
    ...field(8, "table"),
    ...field(9, new Uint8Array(values.buffer)),
  ];
  const node = ["table", "input_ids"].flatMap((input) => field(1, input));
  node.push(...field(2, "last_hidden_state"), ...field(4, "Gather"));
  const graph = [
    ...field(1, node),
    ...field(2, "tiny"),
    ...field(5, table),
    ...field(11, tensor("input_ids", elementType.int64, ["batch", "length"])),
    ...field(11, tensor("attention_mask", elementType.int64, ["batch", "length"])),
    ...field(12, tensor("last_hidden_state", elementType.float, ["batch", "length", rows[0]?.length ?? 0])),
  ];
  const opset = [...field(1, ""), ...field(2, [13])];
  return Uint8Array.from([...field(1, [8]), ...field(7, graph), ...field(8, opset)]);
}

const elementType = { float: 1, int64: 7 };

function tensor(name: string, type: number, shape: readonly (number | string)[]): number[] {
  const sizes = shape.flatMap((size) =>
    field(1, typeof size === "number" ? field(1, [size]) : field(2, size)),
  );
  return [...field(1, name), ...field(2, field(1, [...field(1, [type]), ...field(2, sizes)]))];
}

/** A field of a protocol buffer: text or bytes with their length, or, as a list of one, a number. */
function field(number: number, value: string | Uint8Array | number[]): number[] {
  if (Array.isArray(value) && value.length === 1) return [number << 3, ...varint(value[0] ?? 0)];
  const bytes = typeof value === "string" ? new TextEncoder().encode(value) : value;
  return [...varint((number << 3) | 2), ...varint(bytes.length), ...bytes];
}

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];
}

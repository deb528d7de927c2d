import { readSync, writeSync } from "node:fs";
import { readFile } from "./database-files.ts";

// The slack of a b-tree page is what lies between its cell pointers and its first cell. SQLite's secure_delete overwrites
// cells that are freed, but when it rebuilds a page to move cells among siblings, copies of them stay behind in the slack,
// where nothing reads them and no later delete reaches them. The format is that of https://sqlite.org/fileformat2.html.

const fileHeaderBytes = 100;
const interiorIndex = 2;
const interiorTable = 5;
const leafIndex = 10;
const leafTable = 13;

/** The size of the pages of a database file. */
function pageSizeOf(descriptor: number): number {
  const header = Buffer.alloc(fileHeaderBytes);
  readSync(descriptor, header, 0, fileHeaderBytes, 0);
  const size = header.readUInt16BE(16);
  return size === 1 ? 65_536 : size;
}

/**
 * The numbers of the pages that seem to have something in their slack. Others may write meanwhile, and a page that only
 * holds text may look like one of a b-tree: `clearSlack` makes sure.
 */
export async function findSlack(descriptor: number): Promise<number[]> {
  const size = pageSizeOf(descriptor);
  const found: number[] = [];
  for await (const { chunk, offset } of readFile(descriptor)) {
    for (let at = 0; at + size <= chunk.length; at += size) {
      const number = (offset + at) / size + 1;
      if (slackOf(chunk.subarray(at, at + size), number) !== undefined) found.push(number);
    }
  }
  return found;
}

/**
 * Overwrites the slack of those pages that belong to a b-tree. The caller holds the write lock, and the log is empty, so
 * that the file is the database and nobody else changes it.
 *
 * @param roots the root pages of all b-trees
 */
export function clearSlack(descriptor: number, roots: readonly number[], pages: readonly number[]): void {
  const size = pageSizeOf(descriptor);
  const page = Buffer.alloc(size);
  const load = (number: number): Buffer => {
    readSync(descriptor, page, 0, size, (number - 1) * size);
    return page;
  };
  const members = treePages(roots, load);
  for (const number of pages) {
    const slack = members.has(number) ? slackOf(load(number), number) : undefined;
    if (slack === undefined) continue;
    const [start, end] = slack;
    writeSync(descriptor, Buffer.alloc(end - start), 0, end - start, (number - 1) * size + start);
  }
}

/** All pages of the b-trees. Only inner pages are read: those they point to on the lowest level are leaves. */
function treePages(roots: readonly number[], load: (number: number) => Buffer): ReadonlySet<number> {
  const members = new Set<number>();
  const visit = (number: number): void => {
    members.add(number);
    const children = childrenOf(load(number), number);
    const [first] = children;
    if (first === undefined) return;
    if (isInterior(load(first)[0])) children.forEach(visit);
    else for (const child of children) members.add(child);
  };
  roots.forEach(visit);
  return members;
}

function childrenOf(page: Buffer, number: number): readonly number[] {
  const header = headerStart(number);
  if (!isInterior(page[header])) return [];
  const cells = page.readUInt16BE(header + 3);
  const pointers = Array.from({ length: cells }, (_, i) => page.readUInt16BE(header + 12 + 2 * i));
  return [...pointers.map((cell) => page.readUInt32BE(cell)), page.readUInt32BE(header + 8)];
}

/** Where the slack of a page begins and ends, if there is anything in it; undefined also for what is no page of a b-tree. */
function slackOf(page: Buffer, number: number): readonly [number, number] | undefined {
  const header = headerStart(number);
  const type = page[header];
  if (!isInterior(type) && type !== leafIndex && type !== leafTable) return undefined;
  const start = header + (isInterior(type) ? 12 : 8) + 2 * page.readUInt16BE(header + 3);
  const end = page.readUInt16BE(header + 5) || 65_536;
  if (start >= end || end > page.length) return undefined;
  for (let at = start; at < end; at++) if (page[at] !== 0) return [start, end];
  return undefined;
}

function headerStart(number: number): number {
  return number === 1 ? fileHeaderBytes : 0;
}

function isInterior(type: number | undefined): boolean {
  return type === interiorIndex || type === interiorTable;
}

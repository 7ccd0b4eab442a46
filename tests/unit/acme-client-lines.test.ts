import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { clientLines, MAC_KEY_PLACEHOLDER } from "~/domain/acme/client-lines";
import { newKeyId, newMacKey } from "~/domain/acme/secrets.server";

const oneLine = (text: string) => text.replaceAll(/\s+/g, " ");

test("[API-03] the lines for ACME clients in the documents are those of the page", () => {
  const docs = readFileSync("docs/automation.md", "utf8");
  const all = clientLines({
    directory: "https://portal.example.org/acme/directory",
    keyId: "KEY_ID",
    secret: MAC_KEY_PLACEHOLDER,
    host: "www.example.com",
  });
  expect(docs.match(/^### .*$/gm)).toEqual([...all.map(({ client }) => `### ${client}`), "### Other programs"]);
  for (const { client, lines, renewal } of all) {
    const [, section = ""] = docs.split(`### ${client}\n`);
    expect(/^\n```\w+\n([^]*?)\n```/.exec(section)?.[1]).toBe(lines);
    expect(oneLine(section)).toContain(renewal);
  }
});

test("[API-03] no ACME key begins with a hyphen, which clients would take for an option", () => {
  for (const make of [newMacKey, newKeyId]) {
    const made = Array.from({ length: 2000 }, make); // one of 64 would
    expect(made.filter((text) => !/^\w[\w-]{19,42}$/.test(text))).toEqual([]);
    expect(new Set(made).size).toBe(made.length);
  }
});

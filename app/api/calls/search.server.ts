import { z } from "zod";
import { SHORTEST_START } from "~/domain/search/number-start.policy";
import {
  SEARCH_KINDS,
  type SearchKind,
  SHORTEST_WORD,
  SHOWN_NUMBERS,
  SHOWN_RESULTS,
} from "~/domain/search/search-kinds";
import { searchForCall } from "~/domain/search/search.service.server";
import { SEARCH_LIMIT } from "~/lib/list-params";
import { messages } from "~/lib/messages";
import { call, group } from "../call";

const KINDS = Object.keys(SEARCH_KINDS) as [SearchKind, ...SearchKind[]];

const found = z.object({
  kind: z.enum(KINDS),
  total: z.number().int(),
  hasMore: z.boolean().describe("There are more than `total`, which were not counted"),
  results: z
    .array(
      z.object({
        id: z.number().int().nullable().describe("Null for an invoice that the portal did not issue"),
        title: z.string(),
        detail: z.string(),
        status: z.string().describe("Empty for what has none"),
        page: z.string().describe("The path of its page"),
      }),
    )
    .describe(
      `The first ${SHOWN_RESULTS}, or of numbers that begin with the words the newest ${SHOWN_NUMBERS}, or an invoice with each of its orders`,
    ),
});

export const searchCalls = group("Search", [
  call({
    path: "Search/SearchEverything",
    method: "GET",
    who: "user",
    clients: "read",
    summary: "What matches the words, of everything that the caller may see",
    notes: `Orders and invoices are found by number, or by the first ${SHORTEST_START} or more characters of it (\`SO-102\`, \`INV-2026\`), certificates by host name, by the name and email address of the authentication contact, and by serial number and fingerprint in every notation, companies, people and ID codes by parts of words. Words of fewer than ${SHORTEST_WORD} characters are left out. Kinds without results are left out.`,
    refuses: { 422: "The words are too short, too long, or have control characters" },
    input: z.object({ words: z.string().max(SEARCH_LIMIT, messages.outOfRange) }).strict(),
    output: z.array(found),
    handle: async ({ words }, { user }) =>
      (await searchForCall(user, words)).map(({ kind, total, hasMore, results }) => ({
        kind,
        total,
        hasMore,
        results: results.map(({ id, title, detail, status = "", href: page }) => ({ id, title, detail, status, page })),
      })),
  }),
]);

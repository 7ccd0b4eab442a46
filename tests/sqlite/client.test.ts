import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openApiDocument } from "~/api/openapi.server";
import { clientTypes } from "../../scripts/client-types";
import { usePortal } from "../support/portal";

usePortal();

test("[API-05] the typed client's types are those of the description; after a change: npm run client", async () => {
  expect(await clientTypes(openApiDocument())).toBe(readFileSync("client/calls.ts", "utf8"));
});

test("[API-05] README shows the client's example as it is", () => {
  const [, shown] = /```ts\n(.*?)```/s.exec(readFileSync("README.md", "utf8")) ?? [];
  expect(shown).toBe(readFileSync("client/example.ts", "utf8"));
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { completeErasures } from "~/domain/accounts/personal-data/erasure.service.server";
import { deliverDueMail } from "~/domain/mail/delivery.service.server";
import { getEnv } from "~/lib/env.server";
import { emptyWriteAheadLog } from "~db/connection.server";
import { record } from "../support/audit";
import { erase } from "../support/erasure";
import { createUser } from "../support/factories";
import { usePortal } from "../support/portal";
import { signedInAs } from "../support/visitor";

usePortal();

const contents = () =>
  ["marque.sqlite", "marque.sqlite-wal"].map((file) =>
    readFileSync(join(getEnv().dataDir, file), "latin1").toLowerCase(),
  );

test("the files of SQLite keep nothing of an erased person", async () => {
  const person = await createUser({
    lastName: "Wrzesniowski",
    email: "wrz@wrzesniowski.example",
    company: "Wrzesniowski",
  });
  await signedInAs(person);
  await record({ actor: { id: person.id, name: person.email }, message: `Asked ${person.email}.` });
  emptyWriteAheadLog();
  expect(contents()[0]).toContain("wrzesniowski");
  await erase(person);
  expect(contents()[1]?.length).toBeLessThan(50_000); // only what was written since the log was emptied
  await deliverDueMail();
  await completeErasures();
  expect(contents().map((text) => text.includes("wrzesniowski"))).toEqual([false, false]);
});

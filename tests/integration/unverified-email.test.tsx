import { describe, expect, test } from "vitest";
import { hashPassword } from "~/domain/accounts/passwords.server";
import { LINK_DAYS } from "~/domain/accounts/verification.service.server";
import { DAY } from "~/lib/dates";
import * as verify from "~/routes/_public.verify-email.$token";
import * as home from "~/routes/home/route";
import * as resend from "~/routes/resend-verification";
import { getDb } from "~db/connection.server";
import { issueToken } from "~db/repositories/tokens.server";
import { inTransaction } from "~db/transaction.server";
import { createUser, TEST_PASSWORD } from "../support/factories";
import { ADDRESS, findAccount, importFile, newPerson, useImportFiles } from "../support/import-file";
import { select } from "../support/page";
import { usePortal } from "../support/portal";
import { toastOf } from "../support/recovery";
import { openPage } from "../support/route-page";
import { run, signedInAs, type Visitor } from "../support/visitor";

usePortal();
const { csv } = useImportFiles();

const BEFORE =
  "Until then, orders cannot be approved, we do not write to people whom you name, and we send you only a few messages.";
const FOLLOW = `Follow the link in the message that was sent to you. ${BEFORE}`;
const ASK = `Request a link and follow it. ${BEFORE}`;

/** Imports an account with complete details. */
async function importComplete() {
  const person = newPerson();
  const invoicing = Object.entries(ADDRESS).map(
    ([name, value]) => [name.replace("company", "invoicing"), value] as const,
  );
  const { err } = await importFile(
    csv({
      ...person,
      ...ADDRESS,
      ...Object.fromEntries(invoicing),
      "invoicingAddress.company": "Example Parts GmbH",
      companyRegistrationNumber: "HRB 12345",
      passwordHash: await hashPassword(TEST_PASSWORD),
    }),
  );
  expect(err).toBe("");
  return person;
}

/** Returns the text and the button of the note above every page, or null when there is none. */
async function noteOf(visitor: Visitor): Promise<{ words: string; button: string } | null> {
  const { html } = await openPage(home, visitor, "/home/dashboard");
  const note = select(html, ".note:contains('Please confirm your email address.')");
  return note.length === 0 ? null : { words: note.find("p").text(), button: note.find("button").text() };
}

async function send(visitor: Visitor): Promise<string | undefined> {
  const response = await run(resend.action, await visitor.post("/resend-verification"));
  expect(response.status).toBe(303);
  visitor.follow(response);
  return toastOf(visitor);
}

const mailsTo = (email: string) => getDb().selectFrom("mails").select("text").where("recipient", "=", email).execute();

const sendLink = (user: { id: number; email: string }, sentAt: Date) =>
  inTransaction((trx) =>
    issueToken(
      trx,
      { purpose: "verify-email", email: user.email, userId: user.id, lifetimeMs: LINK_DAYS * DAY },
      sentAt,
    ),
  );

describe("the note about an unconfirmed address", () => {
  test("[CON-04] asks an imported account without a link to request one, and then to follow it", async () => {
    const { username, email } = await importComplete();
    const visitor = await signedInAs({ id: (await findAccount(username))?.id ?? 0 });
    expect(await noteOf(visitor)).toEqual({ words: ASK, button: "Send the link" });
    expect(await mailsTo(email)).toEqual([]);
    expect(await send(visitor)).toBe(`A link is on its way to ${email}.`);
    expect(await noteOf(visitor)).toEqual({ words: FOLLOW, button: "Send the link again" });
    expect(await send(visitor)).toBe(`A new link is on its way to ${email}.`);
    expect(await mailsTo(email)).toHaveLength(2);
  });

  test("[REG-03] offers another link when the sent one has expired", async () => {
    const user = await createUser({ emailVerifiedAt: null });
    const visitor = await signedInAs(user);
    await sendLink(user, new Date(Date.now() - LINK_DAYS * DAY - 1000));
    expect(await noteOf(visitor)).toEqual({ words: ASK, button: "Send the link" });
    await sendLink(user, new Date(Date.now() - LINK_DAYS * DAY + 60_000));
    expect(await noteOf(visitor)).toEqual({ words: FOLLOW, button: "Send the link again" });
  });

  test("[REG-03] disappears once the link was used", async () => {
    const user = await createUser({ emailVerifiedAt: null });
    const visitor = await signedInAs(user);
    const token = await sendLink(user, new Date());
    expect(await noteOf(visitor)).not.toBeNull();
    await run(verify.action, await visitor.post(`/verify-email/${token}`), { token });
    expect(await noteOf(visitor)).toBeNull();
    expect(await send(visitor)).toBe("Your email address is confirmed already.");
    expect(await mailsTo(user.email)).toEqual([]);
  });
});

import { describe, expect, test } from "vitest";
import { purchaseWizard } from "~/domain/certificates/purchase/wizards.server";
import { loadDraft } from "~/domain/drafts/drafts.service.server";
import { findUser } from "~/http/guard.server";
import * as certificates from "~/routes/home.certificates";
import { getDb } from "~db/connection.server";
import { OTHER_TABLES, OWNED_TABLES } from "~db/repositories/account-merge.server";
import { issueToken } from "~db/repositories/tokens.server";
import { updateUser } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import {
  type Account,
  auditOf,
  consolidation,
  countsOf,
  createSeveral,
  furnish,
  merge,
  readUser,
} from "../support/consolidation";
import { createAdmin, createUser } from "../support/factories";
import { usePortal } from "../support/portal";
import { errorsOf, jsonOf, run, signedInAs } from "../support/visitor";

usePortal();

const GERMANY = 276;
const ITALY = 380;

describe("a merge", () => {
  test("[CON-03] of three accounts with certificates, codes, orders and drafts loses nothing", async () => {
    const users = await createSeveral(
      { isApplicant: false, company: "Old Parts Ltd" },
      { company: "New Parts GmbH", firstName: "Annabel" },
      { company: "Old Parts Ltd" },
    );
    const [own, second, third] = users as [Account, Account, Account];
    const belongings = await Promise.all(users.map(furnish));
    const bystander = await createUser();
    await furnish(bystander);
    const before = await countsOf(...users);
    expect(before).toEqual({
      drafts: 3,
      orders: 9,
      certificates: 6,
      codes: 6,
      availableCodes: 3,
      addresses: 6,
      tokens: 3,
      settings: 6,
    });
    const sessions = await Promise.all([second, third].map(signedInAs));

    const visitor = await signedInAs(own);
    const response = await merge(visitor, { company: String(second.id), firstName: String(second.id) });
    expect(response.headers.get("Location")).toBe("/home/dashboard");

    // the remaining account keeps its own queryParams and does not get those of the others
    expect(await countsOf(own)).toEqual({ ...before, settings: 4 });
    expect(await countsOf(second, third)).toMatchObject({
      drafts: 0,
      orders: 0,
      certificates: 0,
      codes: 0,
      availableCodes: 0,
      addresses: 0,
      settings: 2,
    });
    expect(await countsOf(bystander)).toEqual({
      drafts: 1,
      orders: 3,
      certificates: 2,
      codes: 2,
      availableCodes: 1,
      addresses: 2,
      tokens: 1,
      settings: 2,
    });
    for (const { draft } of belongings) expect(await loadDraft(purchaseWizard, own.id, draft)).not.toBeNull();
    visitor.follow(response);
    const list = await jsonOf<{ rows: { id: number }[] }>(
      await run(certificates.loader, visitor.get("/home/certificates?size=25")),
    );
    expect(list.rows.map(({ id }) => id).sort()).toEqual(
      belongings.flatMap(({ certificateIds }) => certificateIds).sort(),
    );

    expect(await readUser(own.id)).toMatchObject({
      firstName: "Annabel",
      company: "New Parts GmbH",
      isApplicant: true,
      isAdmin: false,
      isDisabled: false,
      mergedInto: null,
      sessionEpoch: 0,
      username: own.username,
    });
    for (const [index, { id }] of [second, third].entries()) {
      expect(await readUser(id)).toMatchObject({
        isDisabled: true,
        mergedInto: own.id,
        sessionEpoch: 1,
        email: own.email,
      });
      expect(await findUser((sessions[index] as typeof visitor).get("/"))).toBeNull();
    }
  });

  test("[CON-03] is audited with counts at the surviving and each closed account, and reported by mail", async () => {
    const [own, second] = (await createSeveral({}, {})) as [Account, Account];
    await furnish(second);
    await merge(await signedInAs(own));
    expect(await auditOf(own.id)).toEqual([
      {
        event: "account.merged",
        message: `Merged into this account: ${second.username}. Moved drafts: 1, orders: 3, certificates: 2, codes: 2, available codes: 1, addresses: 2, tokens: 1, settings: 2.`,
        actorName: own.email,
      },
      ...Array.from({ length: 2 }, () => ({
        event: "company.merged",
        message: expect.stringMatching(/^.+ became part of .+ by the merge of accounts into '.+'\.$/) as string,
        actorName: own.email,
      })),
    ]);
    expect(await auditOf(second.id)).toEqual([
      { event: "account.closed-by-merge", message: `Merged into '${own.username}'.`, actorName: own.email },
    ]);
    const mail = await getDb().selectFrom("mails").selectAll().where("recipient", "=", own.email).executeTakeFirst();
    expect(mail).toMatchObject({ subject: "Your accounts were merged" });
    expect(mail?.text).toContain(`Your accounts ${second.username} were merged into the account ${own.username}`);
  });

  test("[CON-03] keeps the chosen addresses and numbers; a VAT number comes with its address and check", async () => {
    const [own, second] = (await createSeveral(
      { detailsMissing: true, vatNumber: "GB999", vatNumberChecked: true },
      { countryId: GERMANY, company: "Example Parts GmbH" },
    )) as [Account, Account];
    await updateUser(getDb(), second.id, { vatNumber: "DE123456789", vatNumberChecked: true, taxNumber: "5" });
    const { companyAddressId, invoicingAddressId } = await readUser(second.id);
    expect((await merge(await signedInAs(own))).status).toBe(303);
    expect(await readUser(own.id)).toMatchObject({
      companyRegistrationNumber: "01234567",
      taxNumber: "5",
      vatNumber: "DE123456789",
      vatNumberChecked: true,
      companyAddressId,
      invoicingAddressId,
    });
  });

  test("[CON-03] [CRD-03] chooses country and VAT number together, so that no number of another country is stored", async () => {
    const [german, italian] = (await createSeveral({ countryId: GERMANY }, { countryId: ITALY })) as [Account, Account];
    await updateUser(getDb(), german.id, { vatNumber: "DE123456789" });
    await updateUser(getDb(), italian.id, { vatNumber: "IT12345678901", vatNumberChecked: true });
    const visitor = await signedInAs(german);
    const { details } = await consolidation(visitor);
    expect(details.find(({ name }) => name === "invoicing")?.options.map(({ text }) => text)).toEqual([
      "Example Parts Ltd, 1 Mill Lane, CV1 1AA Coventry, Germany · VAT number DE123456789",
      "Example Parts Ltd, 1 Mill Lane, CV1 1AA Coventry, Italy · VAT number IT12345678901",
    ]);
    expect((await merge(visitor, { vatNumber: String(italian.id) })).status).toBe(303);
    expect(await readUser(german.id)).toMatchObject({ vatNumber: "DE123456789", vatNumberChecked: null });
  });

  test("[CON-03] moves a VAT number without an address to the address of its country", async () => {
    const [own, second] = (await createSeveral(
      { countryId: GERMANY },
      { detailsMissing: true, vatNumber: "DE123456789" },
    )) as [Account, Account];
    await updateUser(getDb(), own.id, { vatNumber: null });
    await merge(await signedInAs(own));
    expect(await readUser(own.id)).toMatchObject({ vatNumber: "DE123456789", vatNumberChecked: false });
    expect((await readUser(second.id)).mergedInto).toBe(own.id);
  });

  test("[CON-03] keeps Applicant from any account and never adds Admin; a surviving administrator keeps it", async () => {
    await createAdmin();
    const [plain, admin] = (await createSeveral({}, { isAdmin: true })) as [Account, Account];
    expect((await merge(await signedInAs(plain))).status).toBe(303);
    expect(await readUser(plain.id)).toMatchObject({ isAdmin: false, isApplicant: true });
    expect(await readUser(admin.id)).toMatchObject({ isDisabled: true, mergedInto: plain.id });
    const [boss] = await createSeveral({ isAdmin: true, isApplicant: false }, {});
    expect((await merge(await signedInAs(boss))).status).toBe(303);
    expect(await readUser(boss.id)).toMatchObject({ isAdmin: true, isApplicant: true });
  });

  test("[CON-03] never closes the last administrator", async () => {
    const [plain, admin] = (await createSeveral({}, { isAdmin: true })) as [Account, Account];
    await getDb().updateTable("users").set({ isAdmin: false }).where("id", "!=", admin.id).execute();
    const { errors, status } = await errorsOf(await merge(await signedInAs(plain)));
    expect([status, errors.form]).toEqual([
      422,
      expect.stringMatching(/^One of the other accounts is the portal's only/),
    ]);
    expect((await readUser(admin.id)).isDisabled).toBe(false);
    expect((await merge(await signedInAs(admin))).status).toBe(303);
    expect(await readUser(admin.id)).toMatchObject({ isAdmin: true, isDisabled: false });
  });

  test("[CON-03] ends the codes of closed accounts, and takes over a security question only when there is none", async () => {
    const hers = { securityQuestion: "First pet?", securityAnswerHash: "hash of Bello" };
    const [own, second] = (await createSeveral({}, hers)) as [Account, Account];
    await inTransaction(async (trx) => {
      for (const purpose of ["reset-password", "change-password", "login-as-user", "partner-login"] as const)
        await issueToken(trx, { purpose, email: own.email, userId: second.id, lifetimeMs: 60_000 });
    });
    await merge(await signedInAs(own));
    expect(await readUser(own.id)).toMatchObject(hers);
    const tokens = await getDb().selectFrom("tokens").select(["usedAt"]).where("userId", "=", own.id).execute();
    expect(tokens).toHaveLength(4);
    for (const { usedAt } of tokens) expect(usedAt).not.toBeNull();

    const his = { securityQuestion: "First car?", securityAnswerHash: "hash of Beetle" };
    const [other] = await createSeveral(his, hers);
    await merge(await signedInAs(other));
    expect(await readUser(other.id)).toMatchObject(his);
  });

  test("[CON-03] moves accounts that were merged before to the new surviving account", async () => {
    const [first, second] = (await createSeveral({}, {})) as [Account, Account];
    await merge(await signedInAs(second));
    const third = await createUser({ email: first.email, username: `${first.username}.late` });
    await merge(await signedInAs(third));
    for (const { id } of [first, second]) expect((await readUser(id)).mergedInto).toBe(third.id);
  });
});

describe("the data of an account", () => {
  test("[CON-03] every table with a user_id is moved, or is known to stay", async () => {
    const tables = await getDb().introspection.getTables();
    const named = tables
      .filter(({ columns }) => columns.some(({ name }) => name === "user_id"))
      .map(({ name }) => name);
    const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    expect(named.sort()).toEqual([...OWNED_TABLES, ...OTHER_TABLES].map(snake).sort());
  });
});

import { describe, expect, test } from "vitest";
import { sendSecurityAlerts } from "~/domain/security-events/alerts.service.server";
import { accountPaths } from "~/lib/account-paths";
import { paths } from "~/lib/paths";
import * as erasurePage from "~/routes/home.personal-data_.erasure";
import * as userPage from "~/routes/home.users.$id/route";
import { administer, auditAbout, confirmed } from "../support/administration";
import { askToken, makeClient } from "../support/api-clients";
import { createColleague } from "../support/companies";
import { createAdmin, createStaff, createUser } from "../support/factories";
import { pageText } from "../support/page";
import { usePortal } from "../support/portal";
import { mailsTo } from "../support/recovery";
import { openPage } from "../support/route-page";
import { securityEvents } from "../support/security-events";
import { signedInAs, type Visitor } from "../support/visitor";

usePortal();

const asked = async (visitor: Visitor, { id }: { id: number }, fields: Record<string, string>) =>
  pageText((await openPage(userPage, visitor, paths.user(id), { params: { id: String(id) }, fields })).html);

const mailsOfKind = async (email: string, ...kinds: string[]) =>
  (await mailsTo(email)).filter(({ dedupeKey }) => kinds.includes(dedupeKey.split(":")[0] ?? ""));

/** A company whose second owner answers for two clients, one of which was revoked. */
async function company() {
  const owner = await createUser();
  const other = await createColleague(owner, "owner", { firstName: "Bernd", lastName: "Boss" });
  const reader = await createColleague(owner, "reader");
  const client = await makeClient(other, ["certificates:read"], { name: "Store" });
  await makeClient(owner, ["certificates:read"], { name: "Another" });
  return { owner, other, reader, client, admin: await signedInAs(await createAdmin()) };
}

const reason = "Left the firm";
const PAUSES = (name: string) =>
  `This API client will be paused at once, because Bernd Boss answers for it: “Store” of ${name}. To avoid this, let another owner of the company first make a new secret for it`;

describe("[MAN-02] before the account of a person who answers for API clients", () => {
  test.each(["disable", "lock", "erase"])("is changed by %s, the question names them", async (intent) => {
    const { owner, other, admin } = await company();
    const text = await asked(admin, other, { intent, reason });
    expect(text).toContain(PAUSES(owner.company));
    expect(text).not.toContain("Another");
  });

  test("is enabled, the question names those that can be used again", async () => {
    const { owner, other, client, admin } = await company();
    await confirmed(admin, other, { intent: "disable", reason });
    expect((await askToken(client)).ok).toBe(false);
    expect(await asked(admin, other, { intent: "enable" })).toContain(
      `This API client can be used again at once: “Store” of ${owner.company}.`,
    );
    await confirmed(admin, other, { intent: "enable" });
    expect((await askToken(client)).status).toBe(200);
  });

  test("loses the right User administrator, the question names those of staff, and other administrators are told", async () => {
    const ian = await createStaff(["user-administrator", "finance"], { firstName: "Ian", lastName: "Berg" });
    await makeClient(ian, ["sales-orders:read"], { name: "Import", kind: "staff" });
    const olga = await createAdmin();
    const admin = await signedInAs(olga);
    const fields = { intent: "withdraw-user-administrator" };
    const text = await asked(admin, ian, fields);
    expect(text).toContain("because Ian Berg answers for it: “Import” of staff");
    expect(text).toContain("let another user administrator first make a new secret");
    await confirmed(admin, ian, fields);
    const [mail, ...rest] = await mailsOfKind(olga.email, "clients-paused");
    expect(rest).toEqual([]);
    expect(mail?.subject).toBe("API clients of staff paused");
    expect(mail?.text).toContain(accountPaths.apiClients("staff"));
    expect(await mailsOfKind(ian.email, "clients-paused")).toEqual([]);
  });

  test("loses a right, the question names what a client of staff can no longer do; the trail and an alert say so", async () => {
    const ian = await createStaff(["user-administrator", "finance", "auditor"], { firstName: "Ian", lastName: "Berg" });
    await makeClient(ian, ["sales-orders:read", "sales-orders:write"], { name: "Ledger", kind: "staff" });
    const olga = await createAdmin();
    const admin = await signedInAs(olga);
    const lost = "The API client “Ledger” of staff can no longer use the scope sales-orders:write";
    expect(await asked(admin, ian, { intent: "withdraw-finance" })).toContain(
      `${lost}, because Ian Berg answers for it`,
    );
    expect(await asked(admin, ian, { intent: "withdraw-auditor" })).not.toContain("Ledger");
    await confirmed(admin, ian, { intent: "withdraw-finance" });
    const entries = (await auditAbout(ian)).filter(({ event }) => event === "api-client.narrowed");
    expect(entries).toMatchObject([{ actorId: olga.id, message: expect.stringContaining(lost) as string }]);
    expect(await securityEvents()).toContainEqual(expect.objectContaining({ event: "api-client.narrowed" }));
    await sendSecurityAlerts(new Date());
    const alerts = await mailsOfKind(olga.email, "security-alert");
    expect(alerts.map(({ text }) => text).join()).toMatch(
      /“Ledger” of staff can no longer use the\s+scope\s+sales-orders:write/,
    );
    expect(await mailsOfKind(olga.email, "clients-paused")).toEqual([]);
    await confirmed(admin, ian, { intent: "withdraw-auditor" });
    expect((await auditAbout(ian)).filter(({ event }) => event === "api-client.narrowed")).toMatchObject([
      {},
      { message: expect.stringContaining("the scope sales-orders:read") as string },
    ]);
  });

  test("is erased, the person's own page names them", async () => {
    const { other } = await company();
    const { html } = await openPage(erasurePage, await signedInAs(other), accountPaths.eraseData);
    expect(pageText(html)).toContain("This API client will be paused at once, because you answer for it: Store.");
  });
});

describe("[MAI-01] disabling an account", () => {
  test("is told to the person, and to the other owners with what is paused, and to nobody else", async () => {
    const { owner, other, reader, admin } = await company();
    await confirmed(admin, other, { intent: "disable", reason });
    const [mail, ...rest] = await mailsOfKind(other.email, "account-disabled", "owner-disabled");
    expect([mail?.subject, rest]).toEqual(["Your account is disabled", []]);
    expect(mail?.text).not.toContain(reason);
    const [told, ...more] = await mailsOfKind(owner.email, "owner-disabled", "clients-paused");
    expect([told?.subject, more]).toEqual([`The account of an owner of ${owner.company} is disabled`, []]);
    expect(told?.text).toMatch(/Paused: +Store\n/);
    expect(told?.text).not.toContain(reason);
    expect(await mailsOfKind(reader.email, "owner-disabled")).toEqual([]);
  });

  test("of a member who is no owner is told to that person alone", async () => {
    const { owner, reader, admin } = await company();
    await confirmed(admin, reader, { intent: "disable", reason });
    expect(await mailsOfKind(reader.email, "account-disabled")).toHaveLength(1);
    expect(await mailsOfKind(owner.email, "owner-disabled", "clients-paused")).toEqual([]);
  });

  test("and enabling it again is told to the person, and to the other owners with what works again", async () => {
    const { owner, other, admin } = await company();
    await confirmed(admin, other, { intent: "disable", reason });
    await confirmed(admin, other, { intent: "enable" });
    const [mail, ...rest] = await mailsOfKind(other.email, "account-enabled");
    expect([mail?.subject, rest]).toEqual(["Your account can be used again", []]);
    expect(mail?.text).toContain(other.username);
    const [told, ...more] = await mailsOfKind(owner.email, "owner-enabled", "account-enabled");
    expect([told?.subject, more]).toEqual([`The account of an owner of ${owner.company} can be used again`, []]);
    expect(told?.text).toMatch(/API clients: +Store\n/);
  });

  test("and enabling it tells nobody while it is locked, because nobody can log in", async () => {
    const { owner, other, admin } = await company();
    await confirmed(admin, other, { intent: "lock", reason });
    await confirmed(admin, other, { intent: "disable", reason });
    await confirmed(admin, other, { intent: "enable" });
    expect(await mailsOfKind(other.email, "account-enabled")).toEqual([]);
    expect(await mailsOfKind(owner.email, "owner-enabled")).toEqual([]);
  });

  test("that is refused tells nobody", async () => {
    const { owner, other, admin } = await company();
    await confirmed(admin, other, { intent: "disable", reason });
    expect((await administer(admin, other, { intent: "disable", reason, confirmed: "yes" })).status).toBe(422);
    expect(await mailsOfKind(other.email, "account-disabled")).toHaveLength(1);
    expect(await mailsOfKind(owner.email, "owner-disabled")).toHaveLength(1);
  });
});

test("[MAI-01] a lock by an administrator tells the other owners which API clients are paused", async () => {
  const { owner, other, admin } = await company();
  await confirmed(admin, other, { intent: "lock", reason });
  const [mail] = await mailsOfKind(owner.email, "clients-paused");
  expect(mail?.text).toContain("cannot log in, because user administrators have locked the account");
});

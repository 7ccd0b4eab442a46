import { describe, expect, test } from "vitest";
import { accountPaths } from "~/lib/account-paths";
import { paths } from "~/lib/paths";
import * as memberPage from "~/routes/home.company_.$id";
import * as keysPage from "~/routes/home.company_.standing-authorisations.$id_.acme-keys/route";
import * as userPage from "~/routes/home.users.$id/route";
import { newAcmeAccount } from "../support/acme";
import { typeOf } from "../support/acme-client";
import { confirmed } from "../support/administration";
import { createColleague } from "../support/companies";
import { createAdmin } from "../support/factories";
import { useOpenssl } from "../support/openssl";
import { pageText } from "../support/page";
import { usePortal } from "../support/portal";
import { mailsTo } from "../support/recovery";
import { openPage } from "../support/route-page";
import { run, signedInAs } from "../support/visitor";

usePortal();
const { makeCsr } = useOpenssl();

const mailsOfKind = async (email: string, kind: string) =>
  (await mailsTo(email)).filter(({ dedupeKey }) => dedupeKey.startsWith(`${kind}:`));

/** A company with an ACME account, for whose key one of two owners answers. */
async function company() {
  const account = await newAcmeAccount(makeCsr);
  const { user, standing, acme, domain, csrOf } = account;
  const other = await createColleague(user, "owner", { firstName: "Olive" });
  const visitor = await signedInAs(other);
  const name = `www.${domain}`;
  const order = async () => {
    const ordered = await acme.order(name);
    return ordered.status === 201 ? acme.finalize(ordered, csrOf(name).der) : ordered;
  };
  const keys = async () => {
    const at = { params: { id: String(standing) } };
    return pageText((await openPage(keysPage, visitor, accountPaths.acmeKeys(standing), at)).html);
  };
  const key = `Web server (standing authorisation ${standing})`;
  return { ...account, other, visitor, order, keys, key, who: `${user.firstName} ${user.lastName}` };
}

describe("[API-03] an ACME key whose owner", () => {
  test.each([
    ["is removed", { intent: "remove" }],
    ["is an owner no longer", { intent: "role", role: "purchaser" }],
  ])("[API-03] %s stops with its account; the question and a message to the other owners say so", async (_, fields) => {
    const { user, other, visitor, order, keys, key, who } = await company();
    expect(await keys()).toMatch(new RegExp(`Web server.*Active.*by ${who}`));
    const at = { params: { id: String(user.id) } };
    const { html } = await openPage(memberPage, visitor, paths.companyMember(user.id), { ...at, fields });
    expect(pageText(html)).toContain(`because ${who} answers for it: ${key}.`);
    await run(
      memberPage.action,
      await visitor.post(paths.companyMember(user.id), { ...fields, confirmed: "yes" }),
      at.params,
    );
    const [mail, ...rest] = await mailsOfKind(other.email, "acme-stopped");
    expect([mail?.subject, rest]).toEqual([`ACME accounts of ${user.company} stopped`, []]);
    expect(mail?.text.replaceAll(/\s+/g, " ")).toContain(`Stopped: ${key}`);
    const refused = await order();
    expect([typeOf(refused), refused.body.detail]).toEqual([
      "unauthorized",
      expect.stringContaining("An owner makes a new key"),
    ]);
    const text = await keys();
    expect(text).toMatch(/Web server.*Paused Nobody answers for it/);
    expect(text).toContain("Paused keys can do nothing.");
  });

  test("[API-03] is disabled stops until that ends; the questions and the messages to the other owners say so", async () => {
    const { user, other, order, key, who, keys } = await company();
    const admin = await signedInAs(await createAdmin());
    const asked = async (fields: Record<string, string>) =>
      pageText(
        (await openPage(userPage, admin, paths.user(user.id), { params: { id: String(user.id) }, fields })).html,
      );
    const disable = { intent: "disable", reason: "Left the firm" };
    expect(await asked(disable)).toContain(`because ${who} answers for it: “${key}” of ${user.company}.`);
    await confirmed(admin, user, disable);
    const [disabled] = await mailsOfKind(other.email, "owner-disabled");
    expect(disabled?.text.replaceAll(/\s+/g, " ")).toContain(`Stopped: ${key}`);
    expect(await mailsOfKind(other.email, "acme-stopped")).toEqual([]);
    expect(typeOf(await order())).toBe("unauthorized");
    expect(await keys()).toContain("Paused");
    expect(await asked({ intent: "enable" })).toContain(`This ACME key works again at once: “${key}”`);
    await confirmed(admin, user, { intent: "enable" });
    const [enabled] = await mailsOfKind(other.email, "owner-enabled");
    expect(enabled?.text.replaceAll(/\s+/g, " ")).toContain(`ACME keys: ${key}`);
    expect((await order()).body.status).toBe("valid");

    await confirmed(admin, user, { intent: "lock", reason: "Left the firm" });
    const [locked] = await mailsOfKind(other.email, "acme-stopped");
    expect(locked?.text.replaceAll(/\s+/g, " ")).toContain("user administrators have locked the account");
  });
});

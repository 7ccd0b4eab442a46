import { loadPerson } from "~/domain/accounts/administration/person-change.service.server";
import { importList } from "~/domain/accounts/import/import-list";
import { loadPrepared, prepareImport } from "~/domain/accounts/import/prepared-import.service.server";
import { type SessionUser } from "~/domain/accounts/session-user";
import { accountPaths } from "~/lib/account-paths";
import { paths } from "~/lib/paths";
import { serverPaths } from "~/lib/server-paths.server";
import { getDb } from "~db/connection.server";
import { listFactors } from "~db/repositories/second-factors.server";
import { issueToken } from "~db/repositories/tokens.server";
import { updateUser } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { acting, mint } from "../../support/acting";
import { type Deed, deed } from "../../support/audited";
import { Authenticator } from "../../support/authenticator";
import { consolidation, createSeveral, logInAs, untouched } from "../../support/consolidation";
import { createAdmin, createStaff, createUser, TEST_PASSWORD } from "../../support/factories";
import { enterFactor, enterPassword, giveApp, scannedApp } from "../../support/factors";
import { givePasskey, optionsToAdd, optionsToUse } from "../../support/passkeys";
import { admitted, ANSWER, createMember, NEW_PASSWORD, pathOf, QUESTION, requestCode } from "../../support/recovery";
import { filledRegistration } from "../../support/registration";
import { sessionsOf } from "../../support/sessions";
import { newEmail, pageFields, saveSecret, USER_MANAGEMENT } from "../../support/user-details";
import { anonymous, signedInAs } from "../../support/visitor";

export const PARTNER_SECRET = "the partner's secret of the tests, long enough";

type Token = Parameters<typeof issueToken>[1];

const tokenOf = (token: Omit<Token, "lifetimeMs">): Promise<string> =>
  inTransaction((trx) => issueToken(trx, { lifetimeMs: 60_000, ...token }));

const unverified = () => createUser({ emailVerifiedAt: null });

/** Returns a member on the page of their own details, with the unchanged fields. */
async function ownDetails() {
  const member = await createMember();
  await updateUser(getDb(), member.id, { vatNumberChecked: false }); // as it is stored when no VAT service is configured
  const visitor = await signedInAs(member);
  return { visitor, fields: await pageFields(visitor) };
}

/** Returns such a member, whose new email address is not confirmed yet. */
async function waitingAddress() {
  const { visitor } = await ownDetails();
  await saveSecret(visitor, { email: newEmail() });
  return visitor;
}

/** Returns the request of an administrator who presses a button on the page of an account and confirms it. */
const administering =
  (intent: string, given: Parameters<typeof createUser>[0] = {}, change: Parameters<typeof updateUser>[2] = {}) =>
  async () => {
    const user = await createUser(given);
    await updateUser(getDb(), user.id, { ...change });
    const visitor = await signedInAs(await createAdmin());
    const fields = { intent, reason: "Asked by telephone", confirmed: "yes" };
    return { visitor, fields, path: paths.user(user.id), params: { id: String(user.id) } };
  };

/** Returns a CSV file with one new account. */
const accountsFile = () => {
  const email = newEmail();
  const header = "username,email,firstName,lastName,company,position,telephoneNumber";
  return `${header}\r\n${email},${email},Bruno,Keller,Keller,EDI,+49 711`;
};

/** Returns the request of an administrator who asks a second one to reset the factors of an account. */
const resetting = async () => {
  const { visitor, fields, path, params } = await administering("reset-factors")();
  await giveApp({ id: Number(params.id), email: "" });
  await createStaff(["user-administrator"]);
  return { visitor, fields, path, params };
};

/** Returns a user who has logged in with a factor, and the factor's id. */
async function withFactor() {
  const user = await createUser();
  const { app } = await giveApp(user);
  const { visitor } = await enterPassword(user);
  await enterFactor(visitor, app.code());
  const [factor] = await listFactors(getDb(), user.id);
  return { visitor, id: factor?.id ?? 0 };
}

const ageing = async () => {
  const user = await createMember({ passwordChangedAt: new Date(Date.now() - 352 * 86_400_000) });
  return (await logInAs(user.email)).visitor;
};

const LOGIN = deed("logging in", ["account.logged-in"], async () => {
  const { email } = await createUser();
  return { visitor: await anonymous(), fields: { email, password: TEST_PASSWORD } };
});

/** Actions about accounts, by route. */
export const ACCOUNTS: Record<string, readonly Deed[]> = {
  "_public._index": [LOGIN],
  "_public.login": [LOGIN],
  "_public.register": [
    deed("registering", ["account.registered"], async () => ({
      visitor: await anonymous(),
      fields: filledRegistration(),
    })),
  ],
  "_public.complete-registration": [
    deed("completing the registration", ["account.details-completed"], async () => ({
      visitor: await signedInAs(await createUser({ detailsMissing: true })),
      fields: {
        companyRegistrationNumber: "12345",
        taxNumber: "12-3456789",
        "companyAddress.addressLine1": "1 Main Street",
        "companyAddress.city": "Detroit",
        "companyAddress.postalCode": "48226",
        "companyAddress.country": "840",
        useCompanyAddress: "on",
        vatNumber: "",
      },
    })),
  ],
  "_public.consolidate-users": [
    deed(
      "merging accounts",
      ["account.closed-by-merge", "account.merged", "company.merged", "company.merged"],
      async () => {
        const [user] = await createSeveral({}, {});
        const { visitor } = await logInAs(user.username);
        return { visitor, fields: untouched(await consolidation(visitor)) };
      },
    ),
  ],
  "home.personal-data_.erasure": [
    deed("asking for the erasure of one's data", ["account.erasure-requested"], async () => ({
      visitor: await signedInAs(await createUser()),
      fields: { intent: "request-erasure", confirmed: "yes" },
    })),
    deed("withdrawing that", ["account.erasure-withdrawn"], async () => {
      const { id } = await createUser();
      await getDb().updateTable("users").set({ erasureRequestedAt: new Date() }).where("id", "=", id).execute();
      return { visitor: await signedInAs({ id }), fields: { intent: "withdraw-erasure" } };
    }),
  ],
  "_public.forgot-password": [
    deed("asking for a reset code", ["account.reset-code-sent"], async () => ({
      visitor: await anonymous(),
      fields: { email: (await createMember()).email },
    })),
  ],
  "_public.reset-code": [
    deed("bringing the reset code", ["account.reset-code-accepted"], async () => {
      const { visitor, code } = await requestCode((await createMember()).email);
      return { visitor, fields: { resetCode: code, securityAnswer: ANSWER } };
    }),
  ],
  "_public.reset-code_.$token.$email": [
    deed("bringing the reset code by its link", ["account.reset-code-accepted"], async () => {
      const { email } = await createMember();
      const { visitor, code } = await requestCode(email);
      const fields = { resetCode: code, securityAnswer: ANSWER };
      return { visitor, fields, path: pathOf(code, email), params: { token: code, email } };
    }),
  ],
  "_public.change-password": [
    deed("a new password", ["account.password-changed"], async () => ({
      visitor: await admitted((await createMember()).email),
      fields: { password: NEW_PASSWORD, confirmPassword: NEW_PASSWORD },
    })),
  ],
  "_public.password-expiry": [
    deed("on to the new password", [], async () => ({ visitor: await ageing(), fields: { confirmed: "yes" } })),
    deed("later", [], async () => ({ visitor: await ageing(), fields: { back: "" } })),
  ],
  "_public.login_.factor": [
    deed("logging in with a code", ["account.logged-in"], async () => {
      const user = await createUser();
      const { app } = await giveApp(user);
      return { visitor: (await enterPassword(user)).visitor, fields: { code: app.code() } };
    }),
    deed("logging in with a recovery code", ["account.logged-in", "account.recovery-code-used"], async () => {
      const user = await createUser();
      const { codes } = await giveApp(user);
      return { visitor: (await enterPassword(user)).visitor, fields: { code: codes[0] ?? "" } };
    }),
    deed("logging in with a passkey", ["account.logged-in"], async () => {
      const user = await createUser();
      const authenticator = await givePasskey(user);
      const { visitor } = await enterPassword(user);
      return { visitor, fields: { intent: "passkey", answer: authenticator.use(await optionsToUse(visitor)) } };
    }),
  ],
  "_public.second-factors": [
    deed("adding a passkey", ["account.confirmed", "account.factor-added"], async () => {
      const visitor = await signedInAs(await createUser());
      const answer = new Authenticator().add(await optionsToAdd(visitor));
      return { visitor, fields: { intent: "passkey-add", name: "Key ring", answer } };
    }),
    deed("removing a factor", ["account.factor-removed"], async () => {
      const { visitor, id } = await withFactor();
      return { visitor, fields: { intent: "remove", id: String(id) } };
    }),
    deed("renaming a factor", ["account.factor-renamed"], async () => {
      const { visitor, id } = await withFactor();
      return { visitor, fields: { intent: "rename", id: String(id), name: "Red phone" } };
    }),
    deed("making recovery codes", ["account.recovery-codes-made"], async () => {
      const { visitor } = await withFactor();
      return { visitor, fields: { intent: "renew-codes" } };
    }),
    deed("asking whether to make recovery codes", [], async () => {
      const { visitor } = await withFactor();
      return { visitor, fields: { intent: "ask-renew-codes" } };
    }),
    deed("asking whether to remove a factor", [], async () => {
      const { visitor, id } = await withFactor();
      return { visitor, fields: { intent: "ask-remove", id: String(id) } };
    }),
  ],
  "_public.second-factors_.app": [
    deed("adding an authenticator app", ["account.confirmed", "account.factor-added"], async () => {
      const visitor = await signedInAs(await createUser());
      const { address, phone } = await scannedApp(visitor);
      return { visitor, path: address, fields: { code: phone.code(), name: "Work phone" } };
    }),
  ],
  "_public.second-factors_.confirm": [
    deed("confirming who one is", ["account.confirmed"], async () => ({
      visitor: await signedInAs({ ...(await createUser()), proof: null }),
      fields: { currentPassword: TEST_PASSWORD },
    })),
  ],
  "_public.verify-email.$token": [
    deed("confirming the address", ["account.email-verified"], async () => {
      const { id, email } = await unverified();
      const token = await tokenOf({ purpose: "verify-email", email, userId: id });
      return { visitor: await anonymous(), path: serverPaths.verifyEmail(token), params: { token } };
    }),
  ],
  "_public.login-as-user.$userId.$authString": [
    deed("logging in as a user", ["account.acting-started"], async () => {
      const [visitor, { id }] = [await signedInAs(await createAdmin()), await createUser()];
      const authString = await mint(visitor, { id });
      return { visitor, path: serverPaths.loginAsUser(id, authString), params: { userId: String(id), authString } };
    }),
  ],
  "end-login-as-user": [
    deed("no longer acting as a user", ["account.acting-ended"], async () => ({
      visitor: (await acting(await createAdmin(), await createUser())).visitor,
    })),
  ],
  logout: [
    deed("logging out", [], async () => ({ visitor: await signedInAs(await createUser()) })),
    deed("logging out while acting as a user", ["account.acting-ended"], async () => ({
      visitor: (await acting(await createAdmin(), await createUser())).visitor,
    })),
  ],
  "resend-verification": [
    deed("another link to confirm the address", ["account.verification-sent"], async () => ({
      visitor: await signedInAs(await unverified()),
    })),
  ],
  theme: [
    deed("choosing colours", [], async () => ({
      visitor: await anonymous(),
      fields: { theme: "dark", returnTo: "/" },
    })),
  ],
  "partner.verify-token": [
    deed("logging in at the partner service", ["partner.signed-in"], async () => {
      const { id, email } = await createUser();
      return {
        visitor: await anonymous(),
        fields: { token: await tokenOf({ purpose: "partner-login", email, userId: id }) },
        headers: { Authorization: `Bearer ${PARTNER_SECRET}` },
      };
    }),
  ],
  "home.user-management": [
    deed("changing own details", ["account.details-updated"], async () => {
      const { visitor, fields } = await ownDetails();
      return { visitor, fields: { ...fields, position: "Head of EDI" } };
    }),
    deed("changing nothing", [], () => ownDetails()),
    deed("a new password", ["account.password-changed"], async () => {
      const { visitor, fields } = await ownDetails();
      const secrets = { currentPassword: TEST_PASSWORD, password: NEW_PASSWORD, confirmPassword: NEW_PASSWORD };
      return { visitor, fields: { ...fields, ...secrets } };
    }),
    deed("another security question", ["account.security-question-changed"], async () => {
      const { visitor, fields } = await ownDetails();
      const secrets = { currentPassword: TEST_PASSWORD, securityQuestion: QUESTION, securityAnswer: "Rex" };
      return { visitor, fields: { ...fields, ...secrets } };
    }),
    deed("another address", ["account.email-change-requested"], async () => {
      const { visitor, fields } = await ownDetails();
      return { visitor, fields: { ...fields, currentPassword: TEST_PASSWORD, email: newEmail() } };
    }),
    deed("another link for the new address", ["account.email-change-sent"], async () => ({
      visitor: await waitingAddress(),
      fields: { intent: "send-email-link" },
    })),
    deed("keeping the old address", ["account.email-change-withdrawn"], async () => ({
      visitor: await waitingAddress(),
      fields: { intent: "withdraw-email" },
    })),
  ].map((one) => ({ ...one, prepare: async () => ({ path: USER_MANAGEMENT, ...(await one.prepare()) }) })),
  "home.sessions": [
    deed("ending a session", ["account.session-ended"], async () => {
      const user = await createUser();
      await signedInAs(user);
      const [other] = await sessionsOf(user);
      return { visitor: await signedInAs(user), fields: { end: other?.id, currentPassword: TEST_PASSWORD } };
    }),
    deed("ending all other sessions", ["account.sessions-ended"], async () => {
      const user = await createUser();
      await signedInAs(user);
      return { visitor: await signedInAs(user), fields: { end: "others", currentPassword: TEST_PASSWORD } };
    }),
    deed("ending no other session", [], async () => ({
      visitor: await signedInAs(await createUser()),
      fields: { end: "others", currentPassword: TEST_PASSWORD },
    })),
  ],
  "home.users.new": [
    deed("making an account for a person", ["account.created"], async () => {
      const names = { firstName: "Bruno", lastName: "Keller", company: "Keller Logistics GmbH" };
      const work = { position: "EDI manager", telephoneNumber: "+49 711 555 0100" };
      return { visitor: await signedInAs(await createAdmin()), fields: { ...names, ...work, email: newEmail() } };
    }),
  ],
  "home.users.import": [
    deed("checking a file of accounts", [], async () => ({
      visitor: await signedInAs(await createAdmin()),
      fields: { csv: accountsFile() },
    })),
  ],
  "home.users.import_.$draft": [
    deed("importing a file of accounts", ["account.imported", "accounts.imported"], async () => {
      const admin = await createAdmin();
      const visitor = await signedInAs(admin);
      const user = { id: admin.id, actor: { id: admin.id, name: admin.email } } as SessionUser;
      const draft = await prepareImport({ name: "a.csv", bytes: Buffer.from(accountsFile()), field: "csvFile" }, user);
      const { digest } = await loadPrepared(user, draft, importList.read(new URLSearchParams()));
      return { visitor, fields: { seen: digest ?? "" }, path: accountPaths.preparedImport(draft), params: { draft } };
    }),
  ],
  "home.users.$id_.details": [
    deed(
      "changing the name and the address of a person",
      ["account.details-updated", "account.email-change-requested"],
      async () => {
        const [admin, user] = [await createAdmin(), await createUser()];
        const { values } = await loadPerson(user.id, { id: admin.id, name: admin.email });
        const fields = { ...values, lastName: "Schmidt", email: newEmail(), confirmed: "yes" };
        const params = { id: String(user.id) };
        return { visitor: await signedInAs(admin), fields, path: accountPaths.changeUser(user.id), params };
      },
    ),
  ],
  "home.users.$id": [
    deed("disabling an account", ["account.disabled"], administering("disable")),
    deed("enabling an account", ["account.enabled"], administering("enable", { isDisabled: true })),
    deed(
      "unlocking an account",
      ["account.unlocked"],
      administering("unlock", {}, { lockedUntil: new Date(Date.now() + 86_400_000) }),
    ),
    deed("granting Applicant", ["account.right-granted"], administering("grant-applicant", { isApplicant: false })),
    deed("withdrawing Applicant", ["account.right-withdrawn"], administering("withdraw-applicant")),
    deed("granting Admin", ["account.right-granted"], administering("grant-admin")),
    deed("withdrawing Admin", ["account.right-withdrawn"], administering("withdraw-admin", { isAdmin: true })),
    deed(
      "sending another link",
      ["account.verification-sent"],
      administering("send-verification", { emailVerifiedAt: null }),
    ),
    deed("sending a link to choose a password", ["account.reset-code-sent"], administering("send-reset-link")),
    deed("withdrawing a new address", ["account.email-change-withdrawn"], async () => {
      const request = await administering("withdraw-email")();
      const userId = Number(request.params.id);
      await tokenOf({ purpose: "change-email", email: newEmail(), userId });
      return request;
    }),
    deed("asking for a reset of second factors", ["account.second-requested"], resetting),
    deed("erasing personal data", ["account.erased"], administering("erase")),
    deed("ending all sessions", ["account.sessions-ended"], administering("end-sessions")),
    deed("unlinking single sign-on", ["account.sign-on-unlinked"], async () => {
      const { params, ...request } = await administering("unlink-sign-on")();
      const identity = { issuer: "https://id.example", subject: params.id, linkedAt: new Date() };
      await getDb()
        .insertInto("signOnIdentities")
        .values({ ...identity, userId: Number(params.id) })
        .execute();
      return { ...request, params };
    }),
    deed("preparing to log in as a user", ["account.acting-allowed"], administering("log-in-as")),
  ],
};

import { expect, test } from "vitest";
import { CALLS } from "~/api/table.server";
import { listOwnCompanies } from "~/domain/companies/own-companies.service.server";
import { getDb } from "~db/connection.server";
import { insertPartners, listPartners } from "~db/repositories/certificate-partners.server";
import { insertEntityCertificate } from "~db/repositories/entity-certificates.server";
import { insertFollower } from "~db/repositories/entity-followers.server";
import { updateUser } from "~db/repositories/users.server";
import { inTransaction } from "~db/transaction.server";
import { ApiClient, apiClientOf } from "../support/api";
import { type CallDeed, changedTables, eventsAfter, lastEntry, type Making, stateOfTables } from "../support/audited";
import { AUTH_PROXY, FROM_PROXY } from "../support/auth-proxy";
import { issueCertificate } from "../support/certificates";
import { createCode, createCodeOrder } from "../support/codes";
import { createColleague, invite } from "../support/companies";
import { useDomainServers } from "../support/domains";
import { createAdmin, createStaff, createUser, TEST_PASSWORD } from "../support/factories";
import { invoicesOf } from "../support/invoices";
import { useOpenssl } from "../support/openssl";
import { usePortal } from "../support/portal";
import { ANSWER, createMember, NEW_PASSWORD, requestCode } from "../support/recovery";
import { filledRegistration } from "../support/registration";
import { API_CLIENT_CALLS } from "./audited/api-clients";
import { domainCallDeeds } from "./audited/domains";
import { orderingCalls } from "./audited/ordering-calls";
import { queueCallDeeds } from "./audited/queue-calls";
import { standingCallDeeds } from "./audited/standing";

usePortal(AUTH_PROXY);
const { makeCsr } = useOpenssl();
const servers = useDomainServers();

const clientOf = async ({ email }: { email: string }) => apiClientOf(email, TEST_PASSWORD);

const customer = async () => {
  const user = await createMember();
  return { user, client: await clientOf(user) };
};

const ADDRESS = { street1: "1 Main Street", city: "Detroit", postcode: "48226", countryId: 840 };

const PERSON = { firstName: "Bruno", lastName: "Keller", position: "EDI manager", telephoneNumber: "+49 711 555 0100" };

const someOrder = async () => createCodeOrder(await createUser(), "Basic", 2);

/** Returns a customer's certificate with a partner, or without one. */
async function withPartner(hasPartner = true) {
  const { user, client } = await customer();
  const { id: certificateId, companyId } = await issueCertificate({ customer: user });
  const partner = { certificateId, companyId, email: "anna@partner.example", name: "", addedBy: user.id };
  if (hasPartner) await inTransaction((trx) => insertPartners(trx, [{ ...partner, addedAt: new Date() }]));
  return { user, client, certificateId, partnerId: (await listPartners(getDb(), certificateId))[0]?.id };
}

/** Returns the call of an owner about a certificate and an entity, at which it is published if asked for. */
const ofEntity = (isPublished: boolean) => async () => {
  const { user, client } = await customer();
  const { id: certificateId, companyId } = await issueCertificate({ customer: user });
  const { id: codeId } = await createCode(user);
  const row = { codeId, certificateId, companyId, publishedBy: user.id, publishedAt: new Date() };
  if (isPublished) await inTransaction((trx) => insertEntityCertificate(trx, row));
  return { client, body: isPublished ? { codeId, certificateId } : { codeId, certificateIds: [certificateId] } };
};

/** Returns the call of an owner about an entity, which the owner follows if asked for. */
const ofFollower = (isFollowed: boolean) => async () => {
  const { user, client } = await customer();
  const { id: codeId, companyId } = await createCode(user);
  const row = { codeId, companyId, userId: user.id, followedAt: new Date() };
  if (isFollowed) await inTransaction((trx) => insertFollower(trx, row));
  return { client, body: { codeId } };
};

/** Returns the call of an owner about a colleague. */
const withColleague = (fields: object) => async () => {
  const { user, client } = await customer();
  const { id: userId } = await createColleague(user, "reader");
  return { client, body: { userId, ...fields } };
};

/** Returns the fields of a request with a valid reset code and the right answer. */
const recovering = async () => {
  const { email } = await createMember();
  const { code } = await requestCode(email);
  return { emailAddress: email, resetCode: code, securityAnswer: ANSWER };
};

/** A request for each call that may change something, and the audit entries that are recorded. `token` takes a form, the others JSON. */
const DEEDS: Record<string, CallDeed | readonly CallDeed[]> = {
  ...API_CLIENT_CALLS,
  ...domainCallDeeds(servers),
  ...orderingCalls(makeCsr),
  ...queueCallDeeds(makeCsr),
  ...standingCallDeeds(makeCsr),
  token: {
    events: ["account.logged-in"],
    prepare: async () => ({
      client: new ApiClient(),
      body: { grant_type: "password", username: (await createUser()).email, password: TEST_PASSWORD },
    }),
  },
  "token/proxy": {
    events: ["account.logged-in"],
    prepare: async () => ({
      client: new ApiClient(AUTH_PROXY.AUTH_PROXY_SECRET),
      body: { username: (await createUser()).email, password: TEST_PASSWORD },
    }),
  },
  "token/ticket": { events: [], prepare: customer },
  "token/revoke": { events: [], prepare: customer },
  "token/confirm": {
    events: ["account.confirmed"],
    prepare: async () => ({ ...(await customer()), body: { password: TEST_PASSWORD } }),
  },
  "UserRegistration/RegisterUser": {
    events: ["account.registered"],
    prepare: () => Promise.resolve({ client: new ApiClient(), body: filledRegistration() }),
  },
  "UserRegistration/RegisterUserAdvancedDetails": {
    events: ["account.details-completed"],
    prepare: async () => ({
      client: await clientOf(await createUser({ detailsMissing: true })),
      body: { companyRegistrationNumber: "12345", companyAddress: ADDRESS },
    }),
  },
  "UserRegistration/UpdateUserRegistrationDetails": {
    events: ["account.details-updated"],
    prepare: async () => {
      const { user, client } = await customer();
      const person = { firstName: "Anna", lastName: "Müller", jobTitle: "Head of EDI", phone: "+44 20 7946 0000" };
      const company = { company: user.company, companyRegistrationNumber: "01234567", companyAddress: ADDRESS };
      return { client, body: { ...person, ...company, email: user.email, vatNumber: " " } };
    },
  },
  "Companies/ChooseCompany": {
    events: ["company.chosen"],
    prepare: async () => {
      const person = await createColleague(await createUser(), "reader");
      const own = (await listOwnCompanies(person)).find(({ id }) => id !== person.companyId);
      return { client: await clientOf(person), body: { companyId: own?.id } };
    },
  },
  "Companies/InviteMember": {
    events: ["company.invited"],
    prepare: async () => ({ ...(await customer()), body: { email: "colleague@example-parts.com", role: "reader" } }),
  },
  "Companies/WithdrawInvitation": {
    events: ["company.invitation-withdrawn"],
    prepare: async () => {
      const { user, client } = await customer();
      await invite(user, "colleague@example-parts.com");
      const { content } = await client.get<{ invitations: { id: number }[] }>("Companies/GetMembers");
      return { client, body: { invitationId: content.invitations[0]?.id } };
    },
  },
  "Companies/AcceptInvitation": {
    events: ["company.joined"],
    prepare: async () => {
      const { user, client } = await customer();
      return { client, body: { invitation: await invite(await createUser(), user.email) } };
    },
  },
  "Companies/UpdateMember": { events: ["company.role-changed"], prepare: withColleague({ role: "technical" }) },
  "Companies/HandOver": { events: ["company.handed-over"], prepare: withColleague({}) },
  "Companies/RemoveMember": { events: ["company.member-removed"], prepare: withColleague({}) },
  "Certificates/SetNotes": {
    events: ["certificate.notes-changed"],
    prepare: async () => {
      const { user, client } = await customer();
      const { id } = await issueCertificate({ customer: user });
      return { client, body: { certificateId: id, notes: "In the gateway", tags: [], version: 0 } };
    },
  },
  "Certificates/AddPartners": {
    events: ["certificate.partners-added"],
    prepare: async () => {
      const { client, certificateId } = await withPartner(false);
      return { client, body: { certificateId, partners: ["anna@partner.example,Anna"] } };
    },
  },
  "Certificates/CopyPartners": {
    events: ["certificate.partners-added"],
    prepare: async () => {
      const { user, client, certificateId: from } = await withPartner();
      const { id: certificateId } = await issueCertificate({ customer: user });
      return { client, body: { certificateId, from } };
    },
  },
  "Certificates/SetPartnersOfRenewals": {
    events: ["certificate.partners-of-renewals"],
    prepare: async () => {
      const { client, certificateId } = await withPartner(false);
      return { client, body: { certificateId, switchDays: 14 } };
    },
  },
  "Certificates/RemovePartner": {
    events: ["certificate.partner-removed"],
    prepare: async () => {
      const { client, certificateId, partnerId } = await withPartner();
      return { client, body: { certificateId, partnerId } };
    },
  },
  "Certificates/PublishToPartners": {
    events: ["certificate.published"],
    prepare: async () => {
      const { client, certificateId } = await withPartner();
      return { client, body: { certificateId, cutOverOn: " " } };
    },
  },
  "Companies/AddCompanyNote": {
    events: ["company.note-added"],
    prepare: async () => {
      const { companyId } = await createUser();
      return { client: await clientOf(await createStaff(["finance"])), body: { companyId, note: "Pays late." } };
    },
  },
  "Users/CreateUser": {
    events: ["account.created"],
    prepare: async () => ({
      client: await clientOf(await createAdmin()),
      body: { ...PERSON, email: "bruno.keller@keller.example", company: "Keller Logistics GmbH" },
    }),
  },
  "Users/ChangeAccount": {
    events: ["account.disabled"],
    prepare: async () => ({
      client: await clientOf(await createAdmin()),
      body: { userId: (await createUser()).id, action: "disable", reason: "Asked to" },
    }),
  },
  "Users/RequestErasure": { events: ["account.erasure-requested"], prepare: customer },
  "Users/WithdrawErasure": {
    events: ["account.erasure-withdrawn"],
    prepare: async () => {
      const { user, client } = await customer();
      await updateUser(getDb(), user.id, { erasureRequestedAt: new Date() });
      return { client };
    },
  },
  "UserSecurity/RequestPasswordResetEmail": {
    events: ["account.reset-code-sent"],
    prepare: async () => ({ client: new ApiClient(), body: { emailAddress: (await createMember()).email } }),
  },
  "UserSecurity/ValidatePasswordResetData": {
    events: ["account.reset-code-accepted"],
    prepare: async () => ({ client: new ApiClient(), body: await recovering() }),
  },
  "UserSecurity/ChangePassword": {
    events: ["account.password-changed"],
    prepare: async () => {
      const client = new ApiClient();
      const { content } = await client.post<{ token: string }>(
        "UserSecurity/ValidatePasswordResetData",
        await recovering(),
      );
      return { client, body: { token: content.token, password: NEW_PASSWORD } };
    },
  },
  "UserSecurity/UpdateLastLogin": { events: [], prepare: customer },
  "UserSecurity/UpdateUsername": {
    events: ["account.email-change-requested"],
    prepare: async () => {
      const { user, client } = await customer();
      await updateUser(getDb(), user.id, { vatNumberChecked: false }); // because no VAT service answers here
      return { client, body: { Username: "renamed@example-parts.com", currentPassword: TEST_PASSWORD } };
    },
  },
  "Configuration/SaveHomePageConfig": {
    events: ["homepage.updated"],
    prepare: async () => ({
      client: await clientOf(await createAdmin()),
      body: { banner: "https://images.example/banner.png", link: "https://example.org/", tooltip: "Conference" },
    }),
  },
  "Configuration/SaveConfig": {
    events: [],
    prepare: async () => ({ client: (await customer()).client, body: { name: "queryParams", value: "{}" } }),
  },
  "Log/Log": {
    events: [],
    prepare: async () => ({
      client: (await customer()).client,
      body: { source: "client", severity: "Info", message: "Hello" },
    }),
  },
  "codes/FollowEntity": { events: ["code.followed"], prepare: ofFollower(false) },
  "codes/UnfollowEntity": { events: ["code.unfollowed"], prepare: ofFollower(true) },
  "codes/PublishEntityCertificates": { events: ["code.certificate-published"], prepare: ofEntity(false) },
  "codes/EndEntityCertificate": { events: ["code.certificate-ended"], prepare: ofEntity(true) },
  "codes/updateSalesOrder": {
    events: ["order.updated"],
    prepare: async () => ({
      client: await clientOf(await createAdmin()),
      body: { id: await someOrder(), remarks: "Called by phone" },
    }),
  },
  "codes/payInvoice": {
    events: ["order.updated"],
    prepare: async () => {
      const client = await clientOf(await createAdmin());
      const id = await someOrder();
      const { content } = await client.get<{ updatedAt: string }>("codes/getSalesOrder", { id });
      await client.post("codes/updateSalesOrder", { id, status: "Invoiced", updatedAt: content.updatedAt });
      return { client, body: { invoiceNumber: (await invoicesOf(id))[0]?.number } };
    },
  },
  "codes/exportCsv": {
    events: [],
    prepare: async () => ({
      client: await clientOf(await createAdmin()),
      body: { salesOrderIds: [await someOrder()] },
    }),
  },
};

async function statusOf(path: string, { client, body = {} }: Making): Promise<{ status: number; isDone: boolean }> {
  if (path === "token" || path === "token/proxy") {
    const fields = new URLSearchParams(body as Record<string, string>);
    const { status, ok } = await client.send(path, { method: "POST", body: fields, headers: FROM_PROXY });
    return { status, isDone: ok };
  }
  const { status, success, content } = await client.post<{ success?: boolean } | boolean>(path, body);
  return { status, isDone: success && (typeof content === "boolean" ? content : content.success !== false) };
}

/** Calls that need a signer. signer-grants.test.tsx goes through their entries. */
const WITH_SIGNER = ["certificates/ConfirmCertificates"];

test("[AUD-02] [API-02] every POST call names the audit entries that it writes", () => {
  const posted = CALLS.filter(({ method }) => method === "POST");
  expect(posted.map(({ path }) => path).toSorted()).toEqual([...Object.keys(DEEDS), ...WITH_SIGNER].toSorted());
});

const ALL = Object.entries(DEEDS).flatMap(([path, deeds]) => [deeds].flat().map((deed) => [path, deed] as const));

test.each(ALL)("[AUD-02] [API-02] %s", async (path, { events, prepare }) => {
  const making = await prepare();
  const [before, last] = [await stateOfTables(), await lastEntry()];
  const { status, isDone } = await statusOf(path, making);
  expect({ status, isDone, events: await eventsAfter(last) }).toEqual({ status: 200, isDone: true, events });
  if (events.length === 0) expect(changedTables(before, await stateOfTables())).toEqual([]);
});

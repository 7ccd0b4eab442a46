import { accountPaths } from "~/lib/account-paths";
import { staffPaths } from "~/lib/staff-paths";
import { storeAcmeKey } from "../../support/acme-rows";
import { newProgram } from "../../support/api";
import { type CallDeed, type Deed, deed, type Submission } from "../../support/audited";
import { createStaff } from "../../support/factories";
import { type useOpenssl } from "../../support/openssl";
import { confirmDomainOf, grantStanding, issueBasis, LAST_DAY, storeStanding } from "../../support/standing";
import { signedInAs } from "../../support/visitor";

type MakeCsr = ReturnType<typeof useOpenssl>["makeCsr"];

let count = 0;

/** Returns a program of a company with a confirmed domain and an issued certificate, and a CSR for another one. */
async function newBasis(makeCsr: MakeCsr) {
  const program = await newProgram();
  const domain = `standing${(count += 1)}.example.org`;
  await confirmDomainOf(program.user, domain);
  const csr = (host: string) => makeCsr({ subject: `/C=GB/O=Example Parts Ltd/CN=${host}.${domain}` }).pem;
  return { ...program, basis: await issueBasis(program.client, csr("a")), csr: csr("b") };
}

const granted = async (makeCsr: MakeCsr) => {
  const made = await newBasis(makeCsr);
  return { ...made, id: await grantStanding(made.user, made.basis) };
};

const ORDERED = [
  "certificate.approved",
  "certificate.issued",
  "certificate.requested",
  "invoice.issued",
  "order.created",
  "order.within-standing",
];

/** Returns a form that staff send about a standing authorisation that waits. */
const byStaff = (makeCsr: MakeCsr, fields: Record<string, string>) => async (): Promise<Submission> => {
  const { user, basis } = await newBasis(makeCsr);
  const id = await storeStanding(user, basis, "Example Parts Ltd");
  const visitor = await signedInAs(await createStaff(["registration-officer", "approver"]));
  return { visitor, fields, path: staffPaths.standingAuthorisation(id), params: { id: String(id) } };
};

/** Actions about standing authorisations, by route. */
export const standingDeeds = (makeCsr: MakeCsr): Record<string, readonly Deed[]> => ({
  "home.company_.standing-authorisations.new": [
    deed("asking for a standing authorisation", ["company.standing-asked"], async () => {
      const { user, basis } = await newBasis(makeCsr);
      const fields = {
        basis: String(basis),
        purchaseOrderNumber: "PO-1",
        ceilingCertificates: "5",
        ceilingEuro: "",
        longestYears: "1",
        hasSecureSession: "on",
        lastDay: LAST_DAY,
        termsAndConditionsAccepted: "on",
      };
      return { visitor: await signedInAs(user), fields };
    }),
  ],
  "home.company_.standing-authorisations.$id": [
    deed("ordering under a standing authorisation", ORDERED, async () => {
      const { user, id, csr } = await granted(makeCsr);
      const fields = { intent: "order", csr, oftpid: "", hasSecureSession: "on", validityPeriod: "1" };
      const path = accountPaths.standingAuthorisation(id);
      return { visitor: await signedInAs(user), fields, path, params: { id: String(id) } };
    }),
    deed("choosing one invoice a month", ["company.standing-invoicing"], async () => {
      const { user, id } = await granted(makeCsr);
      const path = accountPaths.standingAuthorisation(id);
      const fields = { intent: "invoice-monthly" };
      return { visitor: await signedInAs(user), fields, path, params: { id: String(id) } };
    }),
    deed("ending a standing authorisation", ["company.standing-ended"], async () => {
      const { user, id } = await granted(makeCsr);
      const fields = { intent: "end", reason: "Replaced" };
      const path = accountPaths.standingAuthorisation(id);
      return { visitor: await signedInAs(user), fields, path, params: { id: String(id) } };
    }),
  ],
  "home.company_.standing-authorisations.$id_.acme-keys": [
    deed("making an ACME key", ["acme.key-made"], async () => {
      const { user, id } = await granted(makeCsr);
      const fields = { intent: "make", description: "Web server" };
      return { visitor: await signedInAs(user), fields, path: accountPaths.acmeKeys(id), params: { id: String(id) } };
    }),
    deed("revoking an ACME key", ["acme.key-revoked"], async () => {
      const { user, id } = await granted(makeCsr);
      const fields = { intent: "revoke", key: String(await storeAcmeKey(user, id)), confirmed: "yes" };
      return { visitor: await signedInAs(user), fields, path: accountPaths.acmeKeys(id), params: { id: String(id) } };
    }),
  ],
  "home.standing-authorisations.$id": [
    deed(
      "recording that the contact agrees",
      ["company.standing-checked"],
      byStaff(makeCsr, { intent: "check", note: "Called back" }),
    ),
    deed(
      "rejecting a standing authorisation",
      ["company.standing-rejected"],
      byStaff(makeCsr, { intent: "end", reason: "The contact does not agree" }),
    ),
  ],
});

/** Calls about standing authorisations, by path. */
export const standingCallDeeds = (makeCsr: MakeCsr): Record<string, CallDeed> => ({
  "certificates/OrderUnderStandingAuthorisation": {
    events: ORDERED,
    prepare: async () => {
      const { client, id, csr } = await granted(makeCsr);
      return { client, body: { standingAuthorisationId: id, csr } };
    },
  },
  "certificates/ChooseInvoicing": {
    events: ["company.standing-invoicing"],
    prepare: async () => {
      const { client, id } = await granted(makeCsr);
      return { client, body: { standingAuthorisationId: id, isInvoicedMonthly: true } };
    },
  },
  "certificates/EndStandingAuthorisation": {
    events: ["company.standing-ended"],
    prepare: async () => {
      const { client, id } = await granted(makeCsr);
      return { client, body: { standingAuthorisationId: id, reason: "Replaced" } };
    },
  },
});

import { type InvoiceContent } from "~/domain/orders/invoices/invoice-content";
import { accountPaths } from "~/lib/account-paths";
import { getConfig } from "~/lib/config.server";
import { getEnv } from "~/lib/env.server";
import { paths } from "~/lib/paths";
import { serverPaths } from "~/lib/server-paths.server";
import { staffPaths } from "~/lib/staff-paths";
import { type ComposedMail, guardedMail, type LaidOutMail } from "./compose.server";
import { type MailKind } from "./kinds";
import * as templates from "./templates/index.server";

type Templates = typeof templates;
/** The names of the templates: functions that take data and nothing else. Other functions are helpers that several templates share. */
type TemplateName = {
  [Name in keyof Templates]: Templates[Name] extends (data: never) => ComposedMail ? Name : never;
}[keyof Templates];

interface Example<Name extends TemplateName> {
  kind: MailKind;
  /** What distinguishes this example; "" when its kind has only one. */
  title: string;
  /** Set when the message goes to somebody whom the customer named, or to an address that the account has not confirmed. */
  reader?: "contact" | "unconfirmed";
  data: Parameters<Templates[Name]>[0];
}

/** Every template has at least one example. The compiler enforces it. */
type Examples = { [Name in TemplateName]: readonly [Example<Name>, ...Example<Name>[]] };

/** Used in place of a token. */
const TOKEN = "EXAMPLE";

const NAME = "Anna Müller";
const PERSON = { name: "Anna", username: "anna.mueller@example-parts.com" };
const ORDER = { name: NAME, orderNumber: "SO-1001", purchaseOrderNumber: "PO-4711" };
const COMMON_NAME = "edi.example-parts.com";
const AT = new Date("2026-11-20T09:30:00Z");
const NEW_LOGIN = { ...PERSON, at: AT, device: "Firefox on Windows", address: "203.0.113.7" };
const SERIAL_NUMBER = "3FA4C1D20B5E6F708192A3B4C5D6E7F8";
const CERTIFICATE = { name: NAME, commonName: COMMON_NAME, serialNumber: SERIAL_NUMBER };
const PREVIOUS = { id: 1001, commonName: COMMON_NAME, expiryDate: "2027-01-15T10:00:00Z" };
const RENEWED = { certificateId: PREVIOUS.id, commonName: COMMON_NAME, expiryDate: PREVIOUS.expiryDate };
const MONEY = { netCents: 57000, vatCents: 11400, totalCents: 68400 };
const CODES = { ...ORDER, orderNumber: "SO-1002", codeType: "OSCAR Code Full", numberOfCodes: 3 };
const ENDED = { ...ORDER, commonName: COMMON_NAME };

const CONFIRMATION = {
  ...ORDER,
  ...MONEY,
  orderedBy: null,
  commonName: COMMON_NAME,
  validityYears: 2,
  promotionCode: "SPRING2026",
  discountCents: 1000,
  contactIs: "asked" as const,
};

const AUTHORISATION = {
  applicantName: NAME,
  applicantEmail: "anna.mueller@example-parts.com",
  preparedBy: null,
  company: "Example Parts Ltd",
  organisation: "Example Parts Ltd",
  orderNumber: "SO-1001",
  commonName: COMMON_NAME,
  alternativeNames: [COMMON_NAME, "oftp://O0177AB12000000"],
  renewed: null,
  replaced: null,
  validity: "2 years",
  validFor: "30 days",
};

const invoice = (): InvoiceContent => ({
  kind: "invoice",
  number: "INV-2026-00017",
  issuedAt: AT.toISOString(),
  seller: { registration: [], payment: [], ...getConfig().seller },
  buyer: { company: "Example Parts Ltd", name: NAME, address: [], vatNumber: "GB123456789" },
  orderNumber: "SO-1001",
  purchaseOrderNumber: "PO-4711",
  orderDate: AT.toISOString(),
  lines: [],
  currency: "EUR",
  vatRate: 0.2,
  vatNote: "",
  sterling: null,
  credits: null,
  ...MONEY,
});

const creditNote = (): InvoiceContent => ({
  ...invoice(),
  kind: "credit-note",
  number: "CN-2026-00003",
  credits: { number: "INV-2026-00017", issuedAt: AT.toISOString(), reason: "Ordered twice" },
});

/** Returns the example data of all templates. The links lead to this portal, but not to particular records. */
function examples(): Examples {
  const to = (path: string) => getEnv().publicUrl + path;
  const link = { url: to(serverPaths.verifyEmail(TOKEN)), validFor: "7 days" };
  const forgotten = to(paths.forgotPassword);
  const contact = getConfig().contactLink;
  const certificate = to(paths.certificateDetails(1001));
  const codes = to(paths.codes);
  const company = to(paths.company);
  const otherOwner = {
    name: "Anna",
    company: "Example Parts Ltd",
    who: "Bernd Boss",
    clients: ["Store"],
    url: company,
  };
  const reset = {
    name: PERSON.name,
    account: { username: PERSON.username, company: "Example Parts Ltd", isOneOfSeveral: false },
    code: TOKEN,
    url: to(serverPaths.resetCodeLink(TOKEN, PERSON.username)),
    validFor: "60 minutes",
  };
  const issued = {
    ...CERTIFICATE,
    orderNumber: "SO-1001",
    startDate: "2026-11-20T09:30:00Z",
    expiryDate: "2028-11-20T09:30:00Z",
    downloadUrl: to(paths.certificateDownload(1001)),
    repositoryUrl: to(paths.publicRepository),
  };
  const ending = {
    commonName: COMMON_NAME,
    serialNumber: SERIAL_NUMBER,
    expiryDate: "2026-12-20T09:30:00Z",
    daysLeft: 30,
  };
  const reminder = { ...ending, name: NAME, url: certificate };
  const authorise = to(paths.authoriseOrder(TOKEN));
  return {
    verifyEmailMail: [{ kind: "verify-email", title: "a new user", data: link }],
    verifyNewEmailMail: [{ kind: "verify-email", title: "an address changed before it was confirmed", data: link }],
    verifyForMergeMail: [
      { kind: "verify-email", title: "several accounts", data: { ...link, username: PERSON.username } },
    ],
    changeEmailMail: [{ kind: "change-email", title: "", data: link }],
    emailChangeRequestedMail: [
      {
        kind: "email-change",
        title: "",
        data: { name: PERSON.name, email: "anna@example.com", at: AT, url: forgotten },
      },
    ],
    emailChangedMail: [
      { kind: "email-changed", title: "", data: { name: PERSON.name, email: "anna@example.com", at: AT } },
    ],
    resetCodeMail: [
      { kind: "reset-code", title: "one account", data: reset },
      {
        kind: "reset-code",
        title: "several accounts",
        data: { ...reset, account: { ...reset.account, isOneOfSeveral: true } },
      },
    ],
    resetRefusedMail: [{ kind: "reset-refused", title: "", data: { ...PERSON, url: contact } }],
    accountLockedMail: [
      { kind: "account-locked", title: "wrong passwords", data: { ...PERSON, lockedUntil: AT, url: forgotten } },
      { kind: "account-locked", title: "by an administrator", data: { ...PERSON, lockedUntil: null, url: contact } },
    ],
    accountDisabledMail: [{ kind: "account-disabled", title: "", data: { ...PERSON, url: contact } }],
    accountEnabledMail: [{ kind: "account-enabled", title: "", data: { ...PERSON, url: to(paths.login()) } }],
    staffLockedMail: [
      {
        kind: "staff-locked",
        title: "",
        data: { ...PERSON, name: "Olga", lockedUntil: AT, url: to(paths.user(1001)) },
      },
    ],
    newLoginMail: [
      { kind: "new-login", title: "a browser", data: { ...NEW_LOGIN, isProgram: false, url: forgotten } },
      {
        kind: "new-login",
        title: "a program",
        data: { ...NEW_LOGIN, isProgram: true, device: "curl/8.5.0", url: forgotten },
      },
    ],
    securityAlertMail: [
      {
        kind: "security-alert",
        title: "",
        data: {
          name: "Olga",
          what: "Right granted",
          facts: [
            ["When", "20/11/2026 09:30:00 UTC"],
            ["What", "Granted the right Admin."],
            ["Account", PERSON.username],
            ["Address", "192.0.2.7"],
          ],
          link: { label: "Open the security events", url: to(staffPaths.securityEvents) },
        },
      },
    ],
    erasureRequestedMail: [
      {
        kind: "erasure-requested",
        title: "address confirmed",
        data: { name: "Olga", username: PERSON.username, isConfirmed: true, url: to(paths.user(1001)) },
      },
      {
        kind: "erasure-requested",
        title: "address not confirmed",
        data: { name: "Olga", username: PERSON.username, isConfirmed: false, url: to(paths.user(1001)) },
      },
    ],
    erasureWithdrawnMail: [
      {
        kind: "erasure-withdrawn",
        title: "own wish",
        data: { name: "Olga", username: PERSON.username, isEnded: true, url: to(paths.user(1001)) },
      },
      {
        kind: "erasure-withdrawn",
        title: "another reason",
        data: { name: "Olga", username: PERSON.username, isEnded: false, url: to(paths.user(1001)) },
      },
    ],
    dataErasedMail: [{ kind: "data-erased", title: "", data: { name: PERSON.name, at: AT } }],
    secondNeededMail: [
      {
        kind: "second-needed",
        title: "",
        data: {
          name: "Olga",
          requester: "ian@example.org",
          username: PERSON.username,
          what: "to grant the right Approver",
          expiresAt: AT,
          notice: null,
          url: to(paths.user(1001)),
        },
      },
    ],
    factorMail: [
      {
        kind: "second-factor",
        title: "added",
        data: {
          ...PERSON,
          at: AT,
          what: "A second factor of your account was added",
          detail: "Authenticator app: Work phone",
          url: to(paths.secondFactors()),
        },
      },
    ],
    passwordChangedMail: [{ kind: "password-changed", title: "", data: { ...PERSON, at: AT, url: forgotten } }],
    accountsMergedMail: [
      {
        kind: "accounts-merged",
        title: "",
        data: { ...PERSON, usernames: ["anna.m", "a.mueller"], url: forgotten },
      },
    ],
    orderConfirmationMail: [
      { kind: "order-confirmation", title: "a certificate", data: { ...CONFIRMATION, url: certificate } },
      {
        kind: "order-confirmation",
        title: "an address that is not confirmed",
        reader: "unconfirmed",
        data: { ...CONFIRMATION, contactIs: "asked-later", url: certificate },
      },
      {
        kind: "order-confirmation",
        title: "a renewal",
        data: { ...CONFIRMATION, promotionCode: null, discountCents: 0, renewed: RENEWED, url: certificate },
      },
    ],
    codeOrderMail: [
      {
        kind: "order-confirmation",
        title: "ID codes",
        data: {
          ...CODES,
          orderedBy: null,
          perCodeCents: 90000,
          netCents: 270_000,
          vatCents: 54_000,
          totalCents: 324_000,
          url: codes,
        },
      },
    ],
    contactAuthorisationMail: [
      {
        kind: "authorisation-request",
        title: "a certificate",
        reader: "contact",
        data: { ...AUTHORISATION, url: authorise },
      },
      {
        kind: "authorisation-request",
        title: "a renewal",
        reader: "contact",
        data: { ...AUTHORISATION, renewed: PREVIOUS, preparedBy: "Tom Taylor", url: authorise },
      },
      {
        kind: "authorisation-request",
        title: "a replacement",
        reader: "contact",
        data: {
          ...AUTHORISATION,
          replaced: PREVIOUS,
          validity: "Until 15/01/2027, as certificate 1001",
          url: authorise,
        },
      },
    ],
    contactStoppedMail: [
      {
        kind: "contact-stopped",
        title: "",
        data: {
          ...PERSON,
          contact: "karl.meier@acme.example",
          orderNumbers: ["SO-1021", "SO-1022"],
          url: to(paths.certificates),
        },
      },
    ],
    certificateIssuedMail: [
      { kind: "certificate-issued", title: "a first certificate", data: issued },
      {
        kind: "certificate-issued",
        title: "a renewal",
        data: {
          ...issued,
          renewed: { ...RENEWED, serialNumber: "21B0C3D4E5F60718293A4B5C6D7E8F90", isIssuerKept: true },
        },
      },
      { kind: "certificate-issued", title: "a replacement", data: { ...issued, replacesId: 1000 } },
    ],
    certificateRevokedMail: [
      {
        kind: "certificate-revoked",
        title: "",
        data: {
          ...CERTIFICATE,
          revocationDate: AT.toISOString(),
          reason: "Superseded",
          description: "Replaced by a certificate of another host",
          url: certificate,
        },
      },
    ],
    revocationScheduledMail: [
      {
        kind: "revocation-scheduled",
        title: "",
        data: {
          ...CERTIFICATE,
          revocationDate: "2026-12-01T18:00:00Z",
          reason: "Affiliation Changed",
          description: "The plant is sold",
          url: certificate,
        },
      },
    ],
    keyBlockedMail: [
      {
        kind: "key-blocked",
        title: "a certificate",
        data: {
          name: NAME,
          certificates: [{ commonName: COMMON_NAME, orderNumber: "SO-1001" }],
          url: to(paths.certificates),
        },
      },
      { kind: "key-blocked", title: "a CSR", data: { name: NAME, certificates: [], url: to(paths.certificates) } },
    ],
    keyReportMail: [
      {
        kind: "key-report",
        title: "",
        data: {
          name: "Olga",
          subject: "RSA keys share a prime factor",
          text: "The RSA keys below share a prime factor: whoever has one of them can compute the other. They are blocked.",
          lines: ["Certificate 1001 (Issued), order SO-1001, Example Parts Ltd, anna.mueller@example-parts.com"],
          url: to(staffPaths.overview),
        },
      },
    ],
    expiryReminderMail: [
      { kind: "expiry-reminder", title: "the owner", data: { ...reminder, renewalOpens: null } },
      {
        kind: "expiry-reminder",
        title: "the owner, before renewal opens",
        data: { ...reminder, renewalOpens: "Renewal opens 05/12/2026" },
      },
    ],
    contactReminderMail: [
      {
        kind: "expiry-reminder",
        title: "the authentication contact",
        reader: "contact",
        data: { ...ending, ownerName: NAME },
      },
    ],
    orderRejectedMail: [
      {
        kind: "order-rejected",
        title: "",
        data: {
          ...ENDED,
          reason: "The organisation could not be found in the company register.",
          promotionCode: "SPRING2026",
          refund: "€684.00, paid on 20/11/2026, are to be paid back.",
          url: certificate,
        },
      },
    ],
    orderCancelledMail: [
      {
        kind: "order-cancelled",
        title: "",
        data: { ...ENDED, reason: "Ordered twice", promotionCode: null, refund: null, url: certificate },
      },
    ],
    invoiceMail: [
      { kind: "invoice", title: "an invoice", data: { name: NAME, content: invoice(), url: to(paths.invoice(17)) } },
      {
        kind: "invoice",
        title: "the invoice address",
        reader: "contact",
        data: { name: NAME, content: invoice(), url: to(paths.invoice(17)) },
      },
      {
        kind: "invoice",
        title: "a credit note",
        data: { name: NAME, content: creditNote(), url: to(paths.invoice(18)) },
      },
    ],
    codesAvailableMail: [{ kind: "codes-available", title: "", data: { ...CODES, url: codes } }],
    salesOrderCancelledMail: [
      {
        kind: "sales-order-cancelled",
        title: "",
        data: {
          ...CODES,
          orderType: CODES.codeType,
          note: [
            `${CODES.numberOfCodes} × ${CODES.codeType}: these codes cannot be registered any more.`,
            "The payment of €600.00 of 20/11/2026 will be paid back.",
            "Reason: Ordered twice",
          ],
          url: codes,
        },
      },
    ],
    paymentWithdrawnMail: [
      {
        kind: "payment-withdrawn",
        title: "",
        data: {
          ...CODES,
          orderType: CODES.codeType,
          note: [
            `${CODES.numberOfCodes} × ${CODES.codeType}: these codes cannot be registered any more.`,
            "The payment of €600.00 of 20/11/2026 is not recorded any more: the order is not paid.",
            "Reason: The bank took the payment back",
          ],
          url: codes,
        },
      },
    ],
    invitationMail: [
      {
        kind: "company-invitation",
        title: "",
        data: {
          company: "Example Parts Ltd",
          inviter: "Anna Müller (anna.mueller@example-parts.com)",
          role: "Purchaser",
          validFor: "7 days",
          url: getEnv().publicUrl + paths.invitation(TOKEN),
        },
      },
    ],
    membershipMail: [
      {
        kind: "company-membership",
        title: "",
        data: {
          name: "Anna",
          company: "Example Parts Ltd",
          what: "Your role in Example Parts Ltd is now Purchaser",
          by: "Bernd Boss",
          action: { label: "Open your company", url: getEnv().publicUrl + paths.company },
        },
      },
    ],
    pausedClientsMail: [
      {
        kind: "clients-paused",
        title: "a company",
        data: {
          name: "Anna",
          company: "Example Parts Ltd",
          who: "Bernd Boss",
          what: "is no longer a member of Example Parts Ltd",
          clients: ["Store", "Renewals"],
          url: getEnv().publicUrl + accountPaths.apiClients("company"),
        },
      },
      {
        kind: "clients-paused",
        title: "staff",
        data: {
          name: "Olga",
          company: null,
          who: "Ian Berg",
          what: "is no longer a user administrator",
          clients: ["Import"],
          url: getEnv().publicUrl + accountPaths.apiClients("staff"),
        },
      },
    ],
    ownerDisabledMail: [{ kind: "owner-disabled", title: "", data: otherOwner }],
    ownerEnabledMail: [{ kind: "owner-enabled", title: "", data: otherOwner }],
    preparedRenewalMail: [
      {
        kind: "renewal-prepared",
        title: "",
        data: {
          name: "Anna",
          company: "Example Parts Ltd",
          commonName: COMMON_NAME,
          by: "Bernd Boss",
          url: getEnv().publicUrl + paths.certificateWizard("renew", "invoice-address", TOKEN),
        },
      },
    ],
    codeMaintenanceMail: [
      {
        kind: "code-maintenance",
        title: "",
        data: {
          ...CODES,
          ...MONEY,
          orderNumber: "SO-1003",
          purchaseOrderNumber: "Code maintenance 2026",
          year: 2026,
          url: codes,
        },
      },
    ],
  };
}

export interface MailExample {
  kind: MailKind;
  title: string;
  mail: LaidOutMail;
}

/** Returns the message as this reader gets it. */
function laidOut(mail: ComposedMail, reader: "contact" | "unconfirmed" | undefined): LaidOutMail {
  const stopUrl = getEnv().publicUrl + serverPaths.noMoreMessages(TOKEN);
  const { subject, text, html } = reader ? guardedMail(mail, reader === "contact" ? stopUrl : undefined) : mail;
  return { subject, text, html };
}

/** Returns every template with its example data. */
export const mailExamples = (): MailExample[] =>
  Object.entries(examples()).flatMap(([name, ofTemplate]) =>
    ofTemplate.map(({ kind, title, reader, data }) => {
      const compose = templates[name as TemplateName] as (data: unknown) => ComposedMail;
      return { kind, title, mail: laidOut(compose(data), reader) };
    }),
  );

import { mailedFilesOf } from "~/domain/certificates/catalogue/usual-files.server";
import { paths } from "~/lib/paths";
import { rarePaths } from "~/lib/rare-paths";
import { contactUrl } from "~/lib/server-paths.server";
import { staffPaths } from "~/lib/staff-paths";
import { AT, COMMON_NAME, type Examples, linkTo, NAME, PERSON, PREVIOUS, RENEWED, TOKEN } from "./example.server";

const SERIAL_NUMBER = "3FA4C1D20B5E6F708192A3B4C5D6E7F8";
const CERTIFICATE = { name: NAME, commonName: COMMON_NAME, serialNumber: SERIAL_NUMBER };

const AUTHORISATION = {
  askedOn: null,
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
  corrected: null,
  changes: [],
  validity: "2 years",
  validFor: "30 days",
};

/** Returns the example data of the messages about certificates and their keys. */
export const certificateExamples = () => {
  const certificate = linkTo(paths.certificateDetails(1001));
  const issued = {
    ...CERTIFICATE,
    orderNumber: "SO-1001",
    startDate: "2026-11-20T09:30:00Z",
    expiryDate: "2028-11-20T09:30:00Z",
    downloadUrl: linkTo(paths.certificateDownload(1001)),
    files: mailedFilesOf(1001, linkTo("")),
    repositoryUrl: linkTo(paths.publicRepository),
  };
  const ending = {
    commonName: COMMON_NAME,
    serialNumber: SERIAL_NUMBER,
    expiryDate: "2026-12-20T09:30:00Z",
    daysLeft: 30,
    refusedNames: [],
  };
  const reminder = { ...ending, name: NAME, aboutCode: [], url: certificate };
  const authorise = linkTo(rarePaths.authoriseOrder(TOKEN));
  return {
    contactAuthorisationMail: [
      {
        kind: "authorisation-request",
        title: "a certificate",
        reader: "contact",
        data: { ...AUTHORISATION, url: authorise },
      },
      {
        kind: "authorisation-request",
        title: "a reminder",
        reader: "contact",
        data: { ...AUTHORISATION, askedOn: "2026-11-12T09:30:00Z", url: authorise },
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
      {
        kind: "authorisation-request",
        title: "a correction",
        reader: "contact",
        data: {
          ...AUTHORISATION,
          corrected: PREVIOUS,
          changes: [{ label: "Common name", from: "typo.example.com", to: "edi.example.com" }],
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
          url: linkTo(paths.orders),
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
      {
        kind: "certificate-issued",
        title: "a correction",
        data: { ...issued, corrected: { id: 1000, revokedBy: AT.toISOString() } },
      },
    ],
    correctionOrderedMail: [
      {
        kind: "correction-ordered",
        title: "other usage and names",
        data: {
          ...PERSON,
          number: "COR-2026-0001",
          orderNumber: "SO-1022",
          certificateId: 1000,
          changes: [
            { label: "Common name", from: "oftp.acme.example", to: "oftp2.acme.example" },
            { label: "Usage", from: "Secure session, E-mail", to: "Secure session" },
          ],
          days: 14,
          url: linkTo(paths.order(1022)),
        },
      },
    ],
    certificateRevokedMail: [
      {
        kind: "certificate-revoked",
        title: "another reason than the key",
        data: {
          ...CERTIFICATE,
          revocationDate: AT.toISOString(),
          reason: "Superseded",
          isKeyCompromised: false,
          description: "Replaced by a certificate of another host",
          url: certificate,
        },
      },
      {
        kind: "certificate-revoked",
        title: "a compromised key",
        data: {
          ...CERTIFICATE,
          revocationDate: AT.toISOString(),
          reason: "Key Compromised",
          isKeyCompromised: true,
          description: null,
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
          isKeyCompromised: false,
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
          url: linkTo(paths.certificates),
        },
      },
      { kind: "key-blocked", title: "a CSR", data: { name: NAME, certificates: [], url: linkTo(paths.certificates) } },
    ],
    keyReportedMail: [
      {
        kind: "key-reported",
        title: "",
        data: {
          name: NAME,
          certificates: [{ commonName: COMMON_NAME, orderNumber: "SO-1001" }],
          url: linkTo(paths.certificates),
        },
      },
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
          url: linkTo(staffPaths.overview),
        },
      },
    ],
    issuerRevokedMail: [
      {
        kind: "issuer-revoked",
        title: "",
        data: { ...ending, name: NAME, issuer: "Issuing CA (SHA2)", url: certificate },
      },
    ],
    expiryReminderMail: [
      { kind: "expiry-reminder", title: "the owner", data: { ...reminder, renewalOpens: null } },
      {
        kind: "expiry-reminder",
        title: "the owner, before renewal opens",
        data: { ...reminder, renewalOpens: "Renewal opens 05/12/2026" },
      },
      {
        kind: "expiry-reminder",
        title: "the owner, with a name that is refused today",
        data: {
          ...reminder,
          refusedNames: ["Alternative names: the DNS name 'srv.internal' is an internal name."],
          renewalOpens: null,
        },
      },
      {
        kind: "expiry-reminder",
        title: "the owner, with a code that is cancelled",
        data: {
          ...reminder,
          renewalOpens: null,
          aboutCode: [
            "Its OFTP ID belongs to the code AB1200, Example Parts Plant 1, which is Cancelled. Renew the certificate only if you still use this OFTP ID.",
          ],
        },
      },
    ],
    contactReminderMail: [
      {
        kind: "expiry-reminder",
        title: "the authentication contact",
        reader: "contact",
        data: { ...ending, ownerName: NAME, contactUrl: contactUrl() },
      },
    ],
  } satisfies Partial<Examples>;
};

import { z } from "zod";
import {
  type CertificateData,
  getCertificateData,
} from "~/domain/certificates/catalogue/certificate-data.service.server";
import { paymentOf } from "~/domain/certificates/catalogue/details.service.server";
import { listCertificateRows } from "~/domain/certificates/catalogue/list.service.server";
import { getCertificateOrder } from "~/domain/certificates/catalogue/of-order.service.server";
import { call, group } from "../call";
import { answeredReason, answeredStatus } from "../certificate-words";
import { PART_NOTES, partOf, partShape, partQueryOf } from "../cursor.server";
import { orderIn, orderShape } from "../order-filter";
import { pageShape } from "../paging";
import { alternateNames, toAlternateNames } from "../subject-names";
import { queryId, toWireDate, toWireTimestamp, wireDate, wireTimestamp, wireVersion } from "../wire";
import { certificateApprovalCalls } from "./certificate-approval.server";
import { certificateCorrectionCalls } from "./certificate-corrections.server";
import { certificateFileCalls } from "./certificate-files.server";
import { certificateNotesCalls } from "./certificate-notes.server";
import { certificateOrderCalls } from "./certificate-order.server";
import { certificatePartnersCalls } from "./certificate-partners.server";
import { certificatePurchaseCalls } from "./certificate-purchase.server";
import { certificateRevocationCalls } from "./certificate-revocation.server";
import { orderProgressCalls } from "./order-progress.server";
import { preparedRenewalCalls } from "./prepared-renewals.server";

const ORDERER =
  "The name of the person who ordered it, with the API client if one did it for them; `Staff` for a replacement";

const ISSUER_REVOKED = "Partners refuse it, because its issuing CA is revoked: renew it at once";

const listed = z.object({
  id: z.number().int(),
  commonName: z.string(),
  certificateStatus: answeredStatus(),
  isIssuerRevoked: z.boolean().describe(ISSUER_REVOKED),
  orderType: z.enum(["Initial", "Renewal"]),
  previousOrderId: z.number().int().nullable().describe("Of the certificate that this one renews or replaces"),
  previousCertificateId: z.number().int().nullable(),
  certificateRequestDate: wireDate(),
  certificateStartDate: wireDate(),
  certificateExpiryDate: wireDate(),
  revocationDate: wireDate(),
  orderId: z.number().int(),
  orderedBy: z.string().describe(ORDERER),
  updatedAt: wireVersion(),
});

const criteria = z
  .object({
    ...orderShape,
    status: answeredStatus().optional().describe("Only certificates with this status"),
    page: pageShape.page,
    ...partShape,
  })
  .strict();

type Listed = Awaited<ReturnType<typeof listCertificateRows>>[number];

const toListed = ({ id, commonName, orderType, orderId, ...row }: Listed): z.input<typeof listed> => ({
  id,
  commonName,
  certificateStatus: row.status,
  isIssuerRevoked: row.isIssuerRevoked,
  orderType,
  orderId,
  orderedBy: row.orderedBy,
  updatedAt: row.updatedAt,
  previousOrderId: row.previousOrderId,
  previousCertificateId: row.previousCertificateId,
  certificateRequestDate: toWireDate(row.requestedAt),
  certificateStartDate: toWireDate(row.startDate),
  certificateExpiryDate: toWireDate(row.expiryDate),
  revocationDate: toWireDate(row.revocationDate),
});

const certificateLite = z.object({
  serialNumber: z.string().describe("Hexadecimal pairs with colons"),
  startDate: wireTimestamp(),
  endDate: wireTimestamp(),
  formatVersion: z.number().int().describe("Of X.509: 3"),
  thumbprint: z.string().describe("SHA-1 of the certificate in hexadecimal pairs with colons"),
  keyUsage: z.array(z.string()).describe("By the names of RFC 5280 §4.2.1.3"),
  enhancedKeyUsage: z.array(z.string()).describe("By the names of RFC 5280 §4.2.1.12"),
  keySize: z.number().int().describe("Bits"),
  signatureAlgorithm: z.string(),
  issuerName: z.string(),
});

const certificate = z.object({
  id: z.number().int(),
  orderId: z.number().int(),
  orderedBy: z.string().describe(ORDERER),
  people: z
    .array(z.object({ what: z.string(), name: z.string(), at: wireTimestamp() }))
    .describe("Who prepared, ordered, first downloaded, renewed and revoked it. Empty for somebody who works alone"),
  certificateStatus: answeredStatus(),
  isIssuerRevoked: z.boolean().describe(ISSUER_REVOKED),
  certificateExpiryDate: wireDate(),
  allowRenewal: z.boolean().describe("Whether one that is Renewed may be renewed again"),
  isManualSsid: z.boolean().describe("The SSID was typed with the order, not stated by the CSR"),
  ssid: z.string(),
  revocationDate: wireDate(),
  revocationTime: z.string().describe("`HH:mm:ss`, UTC; empty when there is none"),
  revocationReason: answeredReason(),
  revocationDescription: z.string(),
  commonName: z.string(),
  email: z.string(),
  location: z.string().describe("City"),
  state: z.string(),
  department: z.string().describe("Organisation unit"),
  country: z.string().describe("ISO 3166-1, two letters"),
  organisation: z.string(),
  csr: z.object({
    state: z.string(),
    deviceSerialNumber: z
      .string()
      .describe("The details of its subject; the OFTP ID is `ssid`, wherever the CSR states it"),
    subjectAlternateName: alternateNames(),
  }),
  x509CertificateLite: certificateLite.nullable().describe("Null while there is no certificate"),
});

function toLite(issued: NonNullable<CertificateData["issued"]>): z.input<typeof certificateLite> {
  return { ...issued, startDate: toWireTimestamp(issued.startDate), endDate: toWireTimestamp(issued.endDate) };
}

const toCertificate = ({ row, requested, issued, names, revocation, allowRenewal, ...data }: CertificateData) => ({
  id: row.id,
  orderId: row.orderId,
  orderedBy: data.orderedBy,
  people: data.people.map(({ what, name, at }) => ({ what, name, at: toWireTimestamp(at) })),
  certificateStatus: row.status,
  isIssuerRevoked: data.isIssuerRevoked,
  certificateExpiryDate: toWireDate(row.expiryDate),
  allowRenewal,
  isManualSsid: row.isManualSsid,
  ssid: row.ssid ?? "",
  revocationDate: toWireDate(revocation?.revocationDate),
  revocationTime: revocation?.revocationDate.slice(11, 19) ?? "",
  revocationReason: revocation?.reason ?? "",
  revocationDescription: revocation?.description ?? "",
  commonName: row.commonName,
  email: row.email ?? "",
  location: row.locality ?? "",
  state: row.state ?? "",
  department: row.organisationUnit ?? "",
  country: row.country,
  organisation: row.organisation,
  csr: {
    state: requested.state ?? "",
    deviceSerialNumber: requested.deviceSerialNumber ?? "",
    subjectAlternateName: toAlternateNames(names),
  },
  x509CertificateLite: issued ? toLite(issued) : null,
});

const readingCalls = group("Certificates", [
  call({
    path: "certificates/getcertificates",
    method: "GET",
    who: "user",
    clients: "read",
    summary: "The caller's certificates; for staff who see customers, all certificates",
    notes: `The newest first. ${PART_NOTES}`,
    failure: "OCA0901E",
    isInParts: true,
    input: criteria,
    output: z.array(listed),
    handle: async (query, { user }) => {
      const part = partQueryOf("certificates/getcertificates", query);
      const selected = { orderId: orderIn(query), status: query.status ?? null, page: query.page ?? 1 };
      const rows = await listCertificateRows(user, { ...part, ...selected });
      const positionOf = ({ id, updatedAt }: Listed) => ({ at: part.updatedSince === null ? null : updatedAt, id });
      return partOf(part, rows, { positionOf, toWire: toListed });
    },
  }),
  call({
    path: "certificates/getcertificate",
    method: "GET",
    who: "user",
    clients: "read",
    summary: "One certificate, or the order of one",
    failure: "OCA0701E",
    refuses: { 404: "There is no such certificate, or it is somebody else's" },
    input: z.object({ id: queryId() }).strict(),
    output: certificate,
    handle: async ({ id }, { user }) => toCertificate(await getCertificateData(user, id)),
  }),
  call({
    path: "certificates/GetPaymentDetails",
    method: "GET",
    who: "user",
    clients: "read",
    summary: "Whether a certificate's order is paid",
    failure: "OCA0701E",
    refuses: { 404: "There is no such order of a certificate, or it is somebody else's" },
    input: z.object({ orderId: queryId() }).strict(),
    output: z.object({
      item1: z.boolean().describe("Whether it is paid"),
      item2: wireDate().describe("Payment date; `0001-01-01T00:00:00` when there is none"),
      item3: z.string().describe("Invoice number; empty when there is none"),
    }),
    handle: async ({ orderId }, { user }) => {
      const { isPaid, paymentDate, invoiceNumber } = paymentOf(await getCertificateOrder(user, orderId));
      return { item1: isPaid, item2: toWireDate(paymentDate), item3: invoiceNumber ?? "" };
    },
  }),
]);

export const certificateCalls = [
  ...readingCalls,
  ...certificateOrderCalls,
  ...certificatePurchaseCalls,
  ...certificateCorrectionCalls,
  ...preparedRenewalCalls,
  ...orderProgressCalls,
  ...certificateApprovalCalls,
  ...certificateRevocationCalls,
  ...certificateFileCalls,
  ...certificateNotesCalls,
  ...certificatePartnersCalls,
];

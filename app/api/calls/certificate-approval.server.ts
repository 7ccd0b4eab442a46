import { z } from "zod";
import {
  fingerprintOfShown,
  getGrantPage,
  grantCertificates,
} from "~/domain/certificates/issuing/granting.service.server";
import { approveSelected, type BulkResult } from "~/domain/certificates/queue/bulk-approval.service.server";
import { BULK_LIMIT } from "~/domain/certificates/queue/queue-fields";
import { colonHex } from "~/lib/hex";
import { LARGEST_GRANT } from "~/signer/protocol";
import { call, group } from "../call";
import { id, nothing } from "../wire";

const approval = z.object({
  certificateId: z.number().int(),
  serialNumber: z.string().describe("Hexadecimal pairs with colons; empty when no certificate was issued"),
  error: z.string().describe("Why no certificate was issued; empty when it was"),
  code: z.string().describe("The stable code of `error`; empty when the certificate was issued"),
});

const approvalsOf = ({ issued, refused }: BulkResult): z.input<typeof approval>[] => [
  ...issued.map(({ id: certificateId, serialNumber }) => ({
    certificateId,
    serialNumber: colonHex(serialNumber),
    error: "",
    code: "",
  })),
  ...refused.map(({ id: certificateId, reason: error, code }) => ({ certificateId, serialNumber: "", error, code })),
];

const toConfirm = z.object({
  certificateId: z.number().int(),
  commonName: z.string(),
  organisation: z.string(),
  serialNumber: z.string().describe("Hexadecimal pairs with colons"),
  sha256: z.string().describe("SHA-256 of the TBS certificate, lower-case hex"),
});

export const certificateApprovalCalls = group("Certificates", [
  call({
    path: "certificates/ApproveOrders",
    method: "POST",
    who: "approve-orders",
    needsProof: true,
    summary: "Approves pending orders and issues their certificates",
    notes: `Each order is approved by itself: one that cannot be approved stops no other, and its \`error\` says why. The rules are those of the certificate queue: all checks are recorded, and the four-eyes principle holds. The same request again by the same person gets the same answer. Invoices and messages follow by themselves. When the answer does not arrive, for example because the connection broke, make the same request again. When the portal has a signer that asks for confirmations, \`code\` is \`certificate.waits-for-grant\` until \`ConfirmCertificates\` or a page has confirmed the certificate.`,
    input: z
      .object({
        certificateIds: z
          .array(id())
          .min(1)
          .max(BULK_LIMIT)
          .describe(`The certificates of the orders, at most ${BULK_LIMIT}`),
      })
      .strict(),
    output: z.array(approval).describe("The issued certificates, then the orders that were not approved"),
    handle: async ({ certificateIds }, { user }) => {
      return approvalsOf(await approveSelected(certificateIds, user));
    },
  }),
  call({
    path: "certificates/GetCertificatesToConfirm",
    method: "GET",
    who: "approve-orders",
    summary: "The certificates of orders that the user has approved and must confirm to the signer",
    notes: `Empty when the portal has no signer that asks for confirmations. At most ${LARGEST_GRANT}, the oldest first.`,
    input: nothing,
    output: z.array(toConfirm),
    handle: async (_, { user }) =>
      (await getGrantPage(user)).waiting.map(
        ({ id: certificateId, commonName, organisation, serialNumber, digest }) => ({
          certificateId,
          commonName,
          organisation,
          serialNumber: colonHex(serialNumber),
          sha256: digest,
        }),
      ),
  }),
  call({
    path: "certificates/ConfirmCertificates",
    method: "POST",
    who: "approve-orders",
    summary: "Confirms certificates to the signer with the code of an authenticator app, and issues them",
    notes: `The code is that of the app which an operator of the signer has added for the user. It is not the one for the login. A code counts once.`,
    input: z
      .object({
        certificates: z
          .array(z.object({ certificateId: id(), sha256: z.string().regex(/^[0-9a-f]{64}$/) }).strict())
          .min(1)
          .max(LARGEST_GRANT)
          .describe("As `GetCertificatesToConfirm` lists them, all or some"),
        code: z.string().trim().min(1).max(40).describe("The six digits that the app shows"),
      })
      .strict(),
    output: z.array(approval).describe("The issued certificates, then those that were not issued"),
    handle: async ({ certificates, code }, { user }) => {
      const sorted = certificates.toSorted((one, other) => one.certificateId - other.certificateId);
      const ids = sorted.map(({ certificateId }) => certificateId);
      const fingerprint = fingerprintOfShown(sorted.map(({ sha256 }) => sha256));
      const granted = await grantCertificates(user, { ids, fingerprint }, { code });
      return approvalsOf(await approveSelected(granted, user));
    },
  }),
]);

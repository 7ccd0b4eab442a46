import { z } from "zod";
import { approveSelected } from "~/domain/certificates/queue/bulk-approval.service.server";
import { BULK_LIMIT } from "~/domain/certificates/queue/queue-fields";
import { colonHex } from "~/lib/hex";
import { call, group } from "../call";
import { id } from "../wire";

const approval = z.object({
  certificateId: z.number().int(),
  serialNumber: z.string().describe("Hexadecimal pairs with colons; empty when no certificate was issued"),
  error: z.string().describe("Why no certificate was issued; empty when it was"),
  code: z.string().describe("The stable code of `error`; empty when the certificate was issued"),
});

export const certificateApprovalCalls = group("Certificates", [
  call({
    path: "certificates/ApproveOrders",
    method: "POST",
    who: "approve-orders",
    needsProof: true,
    summary: "Approves pending orders and issues their certificates",
    notes: `Each order is approved by itself: one that cannot be approved stops no other, and its \`error\` says why. The rules are those of the certificate queue: all checks are recorded, and the four-eyes principle holds. The same request again by the same person gets the same answer. Invoices and messages follow by themselves. When the answer does not arrive, for example because the connection broke, make the same request again.`,
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
      const { issued, refused } = await approveSelected(certificateIds, user);
      return [
        ...issued.map(({ id: certificateId, serialNumber }) => ({
          certificateId,
          serialNumber: colonHex(serialNumber),
          error: "",
          code: "",
        })),
        ...refused.map(({ id: certificateId, reason, code }) => ({
          certificateId,
          serialNumber: "",
          error: reason,
          code,
        })),
      ];
    },
  }),
]);

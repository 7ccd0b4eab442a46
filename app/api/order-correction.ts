import { z } from "zod";
import { type StatedOrderCorrection } from "~/domain/orders/corrections/made-corrections.server";
import { toWireTimestamp, wireTimestamp } from "./wire";

/** A correction of an order in answers. */
export const answeredCorrection = z.object({
  correctionNumber: z.string().describe("Such as `COR-2026-0001`"),
  kind: z
    .enum(["order", "invoice", "reissue"])
    .describe(
      "`order`: the order was changed; `invoice`: its invoice was also replaced; `reissue`: another certificate was ordered",
    ),
  date: wireTimestamp(),
  changes: z.array(
    z.object({
      field: z.string().describe("The name of the field on the pages, such as `Invoice address: City`"),
      from: z.string(),
      to: z.string(),
    }),
  ),
  creditNote: z.string().describe("Its number; empty when there is none"),
  invoice: z.string().describe("The number of the new invoice; empty when there is none"),
  certificateId: z.number().int().nullable().describe("The certificate that was ordered, or null"),
  certificateStatus: z.string().describe("The status of that certificate, such as `Pending`; empty when there is none"),
});

/** Returns a correction as calls answer it. */
export function toAnsweredCorrection(correction: StatedOrderCorrection): z.input<typeof answeredCorrection> {
  const { number, kind, at, changes, documents, certificateId, certificateStatus } = correction;
  const numberOf = (wanted: "invoice" | "credit-note") => documents.find((one) => one.kind === wanted)?.number ?? "";
  return {
    correctionNumber: number,
    kind,
    date: toWireTimestamp(at),
    changes: changes.map(({ label, from, to }) => ({ field: label, from, to })),
    creditNote: numberOf("credit-note"),
    invoice: numberOf("invoice"),
    certificateId,
    certificateStatus: certificateStatus ?? "",
  };
}

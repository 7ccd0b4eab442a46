import { type Wizard } from "~/domain/drafts/drafts.service.server";
import { purchaseDraftSchema, renewalDraftSchema, type PurchaseDraft } from "./drafts.schema";

export const purchaseWizard: Wizard<PurchaseDraft> = {
  kind: "certificate-purchase",
  schema: purchaseDraftSchema,
  isOfCompany: true,
};
export const renewalWizard: Wizard<PurchaseDraft> = {
  kind: "certificate-renewal",
  schema: renewalDraftSchema,
  isOfCompany: true,
};

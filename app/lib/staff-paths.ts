import { segment, withQuery } from "./paths";

/** The URLs of the pages that staff open from their dashboard. */
export const staffPaths = {
  approveOrders: "/home/certificate-queue/approve",
  remindContacts: "/home/certificate-queue/remind",
  takeOrders: "/home/certificate-queue/take",
  releaseOrders: "/home/certificate-queue/release",
  queueFile: "/home/certificate-queue/export.csv",
  confirmToSigner: "/home/certificate-queue/confirm",
  signer: "/home/signer",
  overview: "/home/overview",
  jobs: "/home/jobs",
  certificateAudit: "/home/certificate-audit",
  auditTrail: "/home/audit-trail",
  auditTrailFile: "/home/audit-trail/file",
  securityEvents: "/home/security-events",
  securityEventsFile: "/home/security-events/file",
  mail: "/home/mail",
  mailTemplates: "/home/mail/templates",
  /** The examples of one kind of message. `example` counts from 1. */
  mailTemplate: (kind: string, example?: number) => withQuery(`/home/mail/templates/${segment(kind)}`, { example }),
  /** The HTML part of an example, shown in a frame of `mailTemplate`. */
  mailTemplateHtml: (kind: string, example?: number) =>
    withQuery(`/home/mail/templates/${segment(kind)}/html`, { example }),
  manage: "/home/manage",
  promotionCodes: "/home/promotion-codes",
  newPromotionCode: "/home/promotion-codes/new",
  newPromotionCodes: "/home/promotion-codes/bulk",
  promotionCodeFile: (batch: string) => `/home/promotion-codes/file/${segment(batch)}`,
} as const;

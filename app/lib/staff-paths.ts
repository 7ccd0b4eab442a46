import { segment, withQuery } from "./paths";

/** Which example of a message, and in which scheme. */
type MailExampleQuery = { example?: number; scheme?: string | undefined };

/** The URLs of the pages that staff open from their dashboard. */
export const staffPaths = {
  approveOrders: "/home/certificate-queue/approve",
  remindContacts: "/home/certificate-queue/remind",
  takeOrders: "/home/certificate-queue/take",
  releaseOrders: "/home/certificate-queue/release",
  queueFile: "/home/certificate-queue/export.csv",
  /** The form that adds evidence to a check of an order. It takes the query string of the order's page. */
  orderEvidence: (id: number) => `/home/certificate-queue/${segment(id)}/evidence`,
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
  /** The examples of one kind of message. `example` counts from 1. `scheme` is the one of its HTML part. */
  mailTemplate: (kind: string, query: MailExampleQuery = {}) =>
    withQuery(`/home/mail/templates/${segment(kind)}`, query),
  /** The HTML part of an example, shown in a frame of `mailTemplate`. */
  mailTemplateHtml: (kind: string, query: MailExampleQuery) =>
    withQuery(`/home/mail/templates/${segment(kind)}/html`, query),
  /** How far long work of staff is, and what came of it. */
  longWork: (id: string) => `/home/long-work/${segment(id)}`,
  /** The standing authorisations of all companies, and one of them. */
  standing: "/home/standing-authorisations",
  standingAuthorisation: (id: number) => `/home/standing-authorisations/${segment(id)}`,
  confirmStanding: (id: number) => `/home/standing-authorisations/${segment(id)}/confirm`,
  manage: "/home/manage",
  promotionCodes: "/home/promotion-codes",
  newPromotionCode: "/home/promotion-codes/new",
  newPromotionCodes: "/home/promotion-codes/bulk",
  promotionCodeFile: (batch: string) => `/home/promotion-codes/file/${segment(batch)}`,
} as const;

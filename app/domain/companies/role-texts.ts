import { type CompanyTask } from "./roles.policy";

/** What each task of a company's members is, for the pages of the company and docs/security/roles.md. Few pages load these texts. */
export const TASK_TEXTS: Readonly<Record<CompanyTask, string>> = {
  "see-company": "See the company's certificates, ID codes, orders and members",
  "download-certificates": "Download certificates and the CSRs that were sent",
  "note-certificates": "Write notes and tags for the company's certificates",
  "tell-partners": "Name the partners of the company's certificates and publish certificates to them",
  "prepare-renewals": "Prepare the renewal of a certificate for somebody who completes it",
  "place-orders": "Order, renew and correct certificates, order ID codes, and correct orders",
  "cancel-orders": "Cancel an order that is pending",
  "revoke-own-certificates": "Revoke a certificate of the company",
  "register-codes": "Register entities and sub-entities",
  "publish-certificates": "Publish certificates at the company's entities in the code register",
  "change-own-codes": "Change the ID codes of the company",
  "manage-company":
    "Change the company's details, its members, its domains, its API clients, its webhooks, its standing authorisations and their ACME keys",
};

import { type Migration } from "kysely";
import { accounts } from "./0001-accounts";
import { orders } from "./0002-orders";
import { authorities } from "./0003-authorities";
import { certificates } from "./0004-certificates";
import { codes } from "./0005-codes";
import { operations } from "./0006-operations";
import { securityEvents } from "./0007-security-events";
import { sessions } from "./0008-sessions";
import { rights } from "./0009-rights";
import { secondFactors } from "./0010-second-factors";
import { companies } from "./0011-companies";
import { companyOwnership } from "./0012-company-ownership";
import { singleSignOn } from "./0013-single-sign-on";
import { companyMembers } from "./0014-company-members";
import { apiClients } from "./0015-api-clients";
import { personalData } from "./0016-personal-data";
import { companyNotes } from "./0017-company-notes";
import { formerDetails } from "./0018-former-details";
import { listIndexes } from "./0022-list-indexes";
import { foundByAddress } from "./0023-found-by-address";
import { joinedCompanies } from "./0024-joined-companies";
import { alerts } from "./0025-alerts";
import { lifeOfAuthorities } from "./0026-life-of-authorities";
import { certificateAudits } from "./0028-certificate-audits";
import { confirmedDomains } from "./0029-confirmed-domains";
import { crossCertificates } from "./0030-cross-certificates";
import { search } from "./0031-search";
import { queueTools } from "./0032-queue-tools";
import { certificateNotes } from "./0033-certificate-notes";
import { standingAuthorisations } from "./0035-standing-authorisations";
import { webhooks } from "./0037-webhooks";
import { acme } from "./0038-acme";
import { certificateTags } from "./0041-certificate-tags";
import { staffCalls } from "./0042-staff-calls";
import { acmeProfiles } from "./0043-acme-profiles";
import { status } from "./0044-status";
import { certificatePartners } from "./0046-certificate-partners";
import { auditRoots } from "./0047-audit-roots";
import { partnerReminders } from "./0048-partner-reminders";
import { entityCertificates } from "./0049-entity-certificates";
import { orderCorrections } from "./0050-order-corrections";
import { correctedCertificates } from "./0051-corrected-certificates";
import { overpaidOrders } from "./0052-overpaid-orders";
import { monthlyInvoices } from "./0053-monthly-invoices";
import { certificateContacts } from "./0054-certificate-contacts";
import { type Dialect } from "./column-types";

/** Every migration, oldest first. A migration that has been merged is never changed; every change needs a new file. */
export const migrations = (dialect: Dialect): Record<string, Migration> => ({
  "0001-accounts": accounts(dialect),
  "0002-orders": orders(dialect),
  "0003-authorities": authorities(dialect),
  "0004-certificates": certificates(dialect),
  "0005-codes": codes(dialect),
  "0006-operations": operations(dialect),
  "0007-security-events": securityEvents(dialect),
  "0008-sessions": sessions(dialect),
  "0009-rights": rights(dialect),
  "0010-second-factors": secondFactors(dialect),
  "0011-companies": companies(dialect),
  "0012-company-ownership": companyOwnership(dialect),
  "0013-single-sign-on": singleSignOn(dialect),
  "0014-company-members": companyMembers(dialect),
  "0015-api-clients": apiClients(dialect),
  "0016-personal-data": personalData(dialect),
  "0017-company-notes": companyNotes(dialect),
  "0018-former-details": formerDetails(dialect),
  "0022-list-indexes": listIndexes(dialect),
  "0023-found-by-address": foundByAddress(dialect),
  "0024-joined-companies": joinedCompanies(),
  "0025-alerts": alerts(dialect),
  "0026-life-of-authorities": lifeOfAuthorities(dialect),
  "0028-certificate-audits": certificateAudits(dialect),
  "0029-confirmed-domains": confirmedDomains(dialect),
  "0030-cross-certificates": crossCertificates(dialect),
  "0031-search": search(dialect),
  "0032-queue-tools": queueTools(dialect),
  "0033-certificate-notes": certificateNotes(dialect),
  "0035-standing-authorisations": standingAuthorisations(dialect),
  "0037-webhooks": webhooks(dialect),
  "0038-acme": acme(dialect),
  "0041-certificate-tags": certificateTags(dialect),
  "0042-staff-calls": staffCalls(dialect),
  "0043-acme-profiles": acmeProfiles(),
  "0044-status": status(dialect),
  "0046-certificate-partners": certificatePartners(dialect),
  "0047-audit-roots": auditRoots(dialect),
  "0048-partner-reminders": partnerReminders(dialect),
  "0049-entity-certificates": entityCertificates(dialect),
  "0050-order-corrections": orderCorrections(dialect),
  "0051-corrected-certificates": correctedCertificates(dialect),
  "0052-overpaid-orders": overpaidOrders(),
  "0053-monthly-invoices": monthlyInvoices(dialect),
  "0054-certificate-contacts": certificateContacts(dialect),
});

import { type Migration } from "kysely";
import { type Dialect } from "./column-types";
import { accounts } from "./0001-accounts";
import { certificates } from "./0002-certificates";
import { operations } from "./0003-operations";
import { access } from "./0004-access";
import { userLists } from "./0005-user-lists";
import { renewals } from "./0006-renewals";
import { staff } from "./0007-staff";
import { knownKeys } from "./0008-known-keys";
import { ocspResponders } from "./0009-ocsp-responders";
import { sentMails } from "./0010-sent-mails";
import { ownersList } from "./0011-owners-list";
import { codes } from "./0012-codes";
import { revocationLists } from "./0013-revocation-lists";
import { codeWords } from "./0014-code-words";
import { certificateOrders } from "./0015-certificate-orders";
import { salesOrders } from "./0017-sales-orders";
import { invoices } from "./0018-invoices";
import { auditChain } from "./0019-audit-chain";
import { auditSearch } from "./0020-audit-search";
import { jobRuns } from "./0021-job-runs";
import { failingMails } from "./0022-failing-mails";
import { apiTokens } from "./0023-api-tokens";
import { apiIdempotency } from "./0024-api-idempotency";
import { codeEmailOrder } from "./0026-code-email-order";
import { salesOrderDates } from "./0027-sales-order-dates";
import { dismissedMails } from "./0030-dismissed-mails";
import { comparedKeys } from "./0031-compared-keys";
import { loginPlaces } from "./0033-login-places";
import { heldMails } from "./0034-held-mails";
import { writeProbe } from "./0035-write-probe";
import { customerNotes } from "./0036-customer-notes";
import { searchFold } from "./0037-search-fold";
import { tokenSessions } from "./0038-token-sessions";
import { actingTokens } from "./0039-acting-tokens";

/** Every migration, oldest first. A file that has landed is frozen; a change is a new file. */
export const migrations = (dialect: Dialect): Record<string, Migration> => ({
  "0001-accounts": accounts(dialect),
  "0002-certificates": certificates(dialect),
  "0003-operations": operations(dialect),
  "0004-access": access(dialect),
  "0005-user-lists": userLists(dialect),
  "0006-renewals": renewals(),
  "0007-staff": staff(dialect),
  "0008-known-keys": knownKeys(dialect),
  "0009-ocsp-responders": ocspResponders(dialect),
  "0010-sent-mails": sentMails(),
  "0011-owners-list": ownersList(),
  "0012-codes": codes(dialect),
  "0013-revocation-lists": revocationLists(dialect),
  "0014-code-words": codeWords(dialect),
  "0015-certificate-orders": certificateOrders(dialect),
  "0017-sales-orders": salesOrders(dialect),
  "0018-invoices": invoices(dialect),
  "0019-audit-chain": auditChain(dialect),
  "0020-audit-search": auditSearch(),
  "0021-job-runs": jobRuns(dialect),
  "0022-failing-mails": failingMails(dialect),
  "0023-api-tokens": apiTokens(dialect),
  "0024-api-idempotency": apiIdempotency(dialect),
  "0026-code-email-order": codeEmailOrder(dialect),
  "0027-sales-order-dates": salesOrderDates(),
  "0030-dismissed-mails": dismissedMails(dialect),
  "0031-compared-keys": comparedKeys(dialect),
  "0033-login-places": loginPlaces(dialect),
  "0034-held-mails": heldMails(dialect),
  "0035-write-probe": writeProbe(dialect),
  "0036-customer-notes": customerNotes(),
  "0037-search-fold": searchFold(dialect),
  "0038-token-sessions": tokenSessions(),
  "0039-acting-tokens": actingTokens(),
});

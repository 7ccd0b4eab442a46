import { type Call } from "./call";
import { accountCalls } from "./calls/accounts.server";
import { certificateCalls } from "./calls/certificates.server";
import { checkCsrCalls } from "./calls/check-csr.server";
import { codeCalls } from "./calls/codes.server";
import { companyCalls } from "./calls/companies.server";
import { companyClientCalls } from "./calls/company-clients.server";
import { companyDomainCalls } from "./calls/company-domains.server";
import { configurationCalls } from "./calls/configuration.server";
import { keyReportCalls } from "./calls/key-report.server";
import { operationsCalls } from "./calls/operations.server";
import { orderCorrectionCalls } from "./calls/order-corrections.server";
import { personalDataCalls } from "./calls/personal-data.server";
import { queueCalls } from "./calls/queue.server";
import { repositoryCalls } from "./calls/repository.server";
import { salesOrderCalls } from "./calls/sales-orders.server";
import { searchCalls } from "./calls/search.server";
import { securityCalls } from "./calls/security.server";
import { staffCompanyCalls } from "./calls/staff-companies.server";
import { standingCalls } from "./calls/standing-authorisations.server";
import { statusCalls } from "./calls/status.server";
import { tokenCalls } from "./calls/token.server";
import { userCalls } from "./calls/users.server";

/** Every documented JSON call (API-02, API-03). */
export const CALLS: readonly Call[] = [
  ...tokenCalls,
  ...accountCalls,
  ...securityCalls,
  ...personalDataCalls,
  ...userCalls,
  ...companyCalls,
  ...staffCompanyCalls,
  ...companyClientCalls,
  ...companyDomainCalls,
  ...standingCalls,
  ...configurationCalls,
  ...repositoryCalls,
  ...statusCalls,
  ...checkCsrCalls,
  ...certificateCalls,
  ...keyReportCalls,
  ...queueCalls,
  ...codeCalls,
  ...orderCorrectionCalls,
  ...salesOrderCalls,
  ...searchCalls,
  ...operationsCalls,
];

/** Returns the values of the parameters in a documented path, or null when the path does not match. Case is ignored. */
function match(documented: string, given: readonly string[]): Record<string, string> | null {
  const parts = documented.split("/");
  if (parts.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const value = given[index] ?? "";
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name && value !== "") params[name] = value;
    else if (part.toLowerCase() !== value.toLowerCase()) return null;
  }
  return params;
}

/** Returns the calls of a path, one for each of its methods, or null when there is none. `path` is what follows `/api/`. */
export function findCalls(path: string): { calls: Call[]; params: Record<string, string> } | null {
  const given = path.split("/");
  const found = CALLS.flatMap((call) => {
    const params = match(call.path, given);
    return params ? [{ call, params }] : [];
  });
  return found[0] ? { calls: found.map(({ call }) => call), params: found[0].params } : null;
}

import { expect, test, vi } from "vitest";
import { handleError } from "~/entry.server";
import { log } from "~/lib/log.server";
import { usePortal } from "../support/portal";

usePortal();

/** What is logged when a page cannot be loaded. */
function logged(path: string, method = "GET"): unknown {
  const error = vi.spyOn(log(), "error").mockImplementation(() => undefined);
  const request = new Request(`http://portal.example${path}`, { method });
  const context = { requestId: "r-1" } as Parameters<typeof handleError>[1]["context"];
  handleError(new Error("the database is down"), { request, params: {}, context });
  return error.mock.lastCall?.[0];
}

test.each([
  ["/home/codes?page=2", "OCA0B01E"],
  ["/home/codes/code-details?code=1&_data=routes%2Fhome.codes_.code-details", "OCA0A01E"],
  ["/home/codes/code-details/audit-log?code=1", "OCA0K01E"],
  ["/home/search-codes?company=x", "OCA0J01E"],
  ["/home/code/purchase/contact-details", "IMP0D01E"],
  ["/home/code/purchase/order", "OCA0N01E"],
  ["/home/code/purchase/invoice-address", "PIA0301E"],
  ["/home/certificate/renew/order", "IMP0B01E"],
  ["/home/certificates", "OCA0901E"],
  ["/home/certificate-details/7", "OCA0701E"],
  ["/home/certificate-download/7", "OCA0801E"],
  ["/home/certificate/revoke/7", "OCA0N01E"],
  ["/home/sale-orders", "OCA0L01E"],
  ["/home/sale-orders/details?order=1", "OCA0M02E"],
  ["/home/dashboard", "IMP0901E"],
])("[GEN-02] what fails while %s is loaded is logged as %s, with the request", (path, code) => {
  expect(logged(path)).toMatchObject({ code, requestId: "r-1", method: "GET", path: path.split("?", 1)[0] });
});

test("[GEN-02] elsewhere, and of forms, it is logged without a code", () => {
  for (const unknown of [logged("/login"), logged("/home/codes", "POST")])
    expect(unknown).toMatchObject({ code: undefined, requestId: "r-1" });
});

import { orderNumber } from "~/domain/orders/order-number";
import { pagesOf } from "~/lib/list-params";
import { getDb } from "~db/connection.server";
import { countCertificates, listCertificates } from "~db/repositories/certificate-list.server";
import { listContactStops } from "~db/repositories/held-mails.server";
import { searchTerms } from "../catalogue/list-search.server";
import { orderTypeText } from "../certificates.policy";
import { listControlChips } from "../request/confirmed-names.server";
import { waitingFor } from "./checks.policy";
import { ISSUING } from "./order-decision.policy";
import { type QueueListParams } from "./queue-list";

/**
 * Returns one page of the pending orders, oldest first, with what each order waits for. The returned parameters are those that the links of
 * the page keep: the filter, but not the selection.
 */
export async function listQueue(params: QueueListParams) {
  const { isReady } = params;
  const filter = { statuses: ["Pending" as const], isReady, terms: searchTerms(params.search) };
  const total = await countCertificates(getDb(), filter);
  const pages = pagesOf(total, params.size);
  const page = Math.min(params.page, pages);
  const rows = await listCertificates(getDb(), filter, {
    sort: { key: "certificateRequestDate", direction: "asc" },
    offset: (page - 1) * params.size,
    limit: params.size,
  });
  const stopped = await listContactStops(
    getDb(),
    rows.map(({ authenticationEmail }) => authenticationEmail),
  );
  const chips = await listControlChips(rows);
  return {
    rows: rows.map((row) => ({
      id: row.id,
      orderNumber: orderNumber(row.orderId),
      commonName: row.commonName,
      organisation: row.organisation,
      company: row.company,
      orderType: orderTypeText(row.orderType, row.previousCertificateId),
      requestedAt: row.requestedAt,
      waitsFor: row.serialNumber
        ? [ISSUING]
        : waitingFor({ ...row, isContactStopped: stopped.has(row.authenticationEmail.toLowerCase()) }),
      /** What staff should look into. */
      chips: chips.get(row.id) ?? [],
    })),
    total,
    pages,
    params: { ...params, page, isAllSelected: false, problem: null },
  };
}

export type QueueItem = Awaited<ReturnType<typeof listQueue>>["rows"][number];

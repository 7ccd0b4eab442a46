import { Link } from "@remix-run/react";
import { type loadTrail } from "~/domain/audit/trail.service.server";
import { companyIdOf } from "~/domain/companies/company-reference";
import { orderNumber } from "~/domain/orders/order-number";
import { paths } from "~/lib/paths";

export type TrailRow = Awaited<ReturnType<typeof loadTrail>>["rows"][number];

/** Which things the viewer may open: sales orders, and the certificates and codes of customers. */
export interface TrailLinks {
  orders: boolean;
  customers: boolean;
}

export const ALL_LINKS: TrailLinks = { orders: true, customers: true };

interface AboutProps {
  row: TrailRow;
  links?: TrailLinks;
}

/** Lists what an entry is about, as links where there is a page that the viewer may open. */
export function About({ row, links = ALL_LINKS }: AboutProps) {
  const { userId, userEmail, orderId, certificateId, codeId, reference } = row;
  const link = (id: number | null, to: (id: number) => string, text: string, isLinked = true) =>
    id !== null && <li>{isLinked ? <Link to={to(id)}>{text}</Link> : text}</li>;
  const companyId = companyIdOf(reference ?? "");
  if ([userId, orderId, certificateId, codeId, reference].every((about) => about === null || about === "")) return null;
  return (
    <ul role="list">
      {link(userId, paths.user, userEmail ?? `Account ${userId}`)}
      {link(orderId, (order) => paths.salesOrder(order), `Order ${orderNumber(orderId ?? 0)}`, links.orders)}
      {link(certificateId, paths.certificateDetails, `Certificate ${certificateId}`, links.customers)}
      {link(codeId, (code) => paths.codeDetails({ code }), `Code ${codeId}`, links.customers)}
      {link(companyId, paths.companyPage, `Company ${companyId}`)}
      {reference && companyId === null && (
        <li>
          <bdi className="mono">{reference}</bdi>
        </li>
      )}
    </ul>
  );
}

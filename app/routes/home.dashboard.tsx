import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { Note } from "~/components/note";
import { PageHeader } from "~/components/page-header";
import { pageTitle } from "~/components/page-title";
import { Tile } from "~/components/tile";
import { Time } from "~/components/time";
import { loadDashboard } from "~/domain/homepage/dashboard.service.server";
import { requireUser } from "~/http/guard.server";
import { paths } from "~/lib/paths";

export async function loader({ request }: LoaderFunctionArgs) {
  const { firstName, isAdmin, isApplicant, ...user } = await requireUser(request);
  return json({ firstName, isAdmin, isApplicant, figures: await loadDashboard({ ...user, isAdmin }) });
}

export default function Dashboard() {
  const { firstName, isAdmin, isApplicant, figures } = useLoaderData<typeof loader>();
  return (
    <div className="stack-l">
      <PageHeader title={`Welcome, ${firstName}`} />
      {figures.expiring.length > 0 && (
        <Note tone="warn" title="Certificates that end within 30 days">
          <ul>
            {figures.expiring.map(({ id, commonName, expiryDate }) => (
              <li key={id}>
                <Link to={paths.certificateDetails(id)}>{commonName}</Link> expires on <Time value={expiryDate} />
              </li>
            ))}
          </ul>
        </Note>
      )}
      <section className="stack" aria-labelledby="certificates-heading">
        <h2 id="certificates-heading">Certificates</h2>
        <div className="tiles">
          {isApplicant && (
            <Tile
              title="Order & Manage Your Certificates"
              to={paths.certificates}
              count={figures.activeCertificates}
              countLabel="active"
            >
              Buy, download and revoke certificates.
            </Tile>
          )}
          {isAdmin && !isApplicant && (
            <Tile title="View Certificates" to={paths.certificates}>
              The certificates of all customers.
            </Tile>
          )}
        </div>
      </section>
      {isAdmin && (
        <section className="stack" aria-labelledby="administration-heading">
          <h2 id="administration-heading">Administration</h2>
          <div className="tiles">
            <Tile
              title="Certificate Queue"
              to={paths.certificateQueue}
              count={figures.pendingOrders ?? 0}
              countLabel={figures.pendingOrders === 1 ? "pending order" : "pending orders"}
            >
              Check identities, approve or reject orders.
            </Tile>
          </div>
        </section>
      )}
    </div>
  );
}

export const meta = pageTitle("Home");

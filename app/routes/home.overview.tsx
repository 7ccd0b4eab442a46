import { json, type LinksFunction, type LoaderFunctionArgs } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { FindingTable } from "~/components/certificate-audit/finding-table";
import { Chart } from "~/components/overview/chart";
import { DueTable, FailingJobs, WaitingTable } from "~/components/overview/work-parts";
import { pageTitle } from "~/components/shell/page-title";
import { Note } from "~/components/ui/note";
import { PageHeader } from "~/components/ui/page-header";
import { Tile } from "~/components/ui/tile";
import { StaffingNote } from "~/components/users/staffing-note";
import { loadOverview } from "~/domain/overview/overview.service.server";
import { requireUser } from "~/http/guard.server";
import { staffPaths } from "~/lib/staff-paths";
import styles from "~/styles/charts.css";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: styles }];

export async function loader({ request }: LoaderFunctionArgs) {
  return json(await loadOverview(await requireUser(request, "see-overview")));
}

export default function Overview() {
  const { queues, work, ages, figures, notice, policies, factors, missingStaff, office, ...rest } =
    useLoaderData<typeof loader>();
  const { signer, maySeeSigner, mayRunJobs } = rest;
  const hasNotes = missingStaff.length > 0 || [office, signer, factors, notice, policies].some((note) => note !== null);
  return (
    <div className="stack-l">
      <PageHeader title="Overview" />
      <section className="stack" aria-labelledby="waiting">
        <h2 id="waiting">Waiting for staff</h2>
        <div className="tiles">
          {queues.map(({ title, page, text, ...count }) => (
            <Tile key={title} title={title} to={page} {...count}>
              {text}
            </Tile>
          ))}
        </div>
        {work.findings && work.findings.total > 0 && <FindingTable {...work.findings} />}
        {work.failing && <FailingJobs failing={work.failing} mayRun={mayRunJobs} />}
        {work.waiting && <WaitingTable waiting={work.waiting} ages={ages} />}
        {work.due && <DueTable due={work.due} />}
      </section>
      {hasNotes && (
        <section className="stack" aria-labelledby="state">
          <h2 id="state">State of the portal</h2>
          {office !== null && <Note tone="warn">{office}</Note>}
          {signer !== null && (
            <Note tone="warn">
              {signer} {maySeeSigner && <Link to={staffPaths.signer}>Signer</Link>}
            </Note>
          )}
          <StaffingNote missing={missingStaff} />
          {factors !== null && <Note tone="warn">{factors}</Note>}
          {notice !== null && <Note tone="warn">{notice}</Note>}
          {policies !== null && <Note tone="warn">{policies}</Note>}
        </section>
      )}
      <section className="stack" aria-labelledby="figures">
        <h2 id="figures">Figures</h2>
        <div className="charts">
          {figures.map((figure) => (
            <Chart key={figure.title} {...figure} />
          ))}
        </div>
      </section>
    </div>
  );
}

export const meta = pageTitle("Overview");

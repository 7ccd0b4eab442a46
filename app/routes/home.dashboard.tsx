import { json, type LinksFunction, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { EndingStrip } from "~/components/dashboard/ending-strip";
import { FirstCertificate } from "~/components/dashboard/first-certificate";
import { NextTasks, OwnCounts, RecentEvents } from "~/components/dashboard/own-work";
import { pageTitle } from "~/components/shell/page-title";
import { useShell } from "~/components/shell/shell";
import { PageHeader } from "~/components/ui/page-header";
import { Tile } from "~/components/ui/tile";
import { loadDashboard } from "~/domain/homepage/dashboard.service.server";
import { loadOwnWork } from "~/domain/homepage/own-work.service.server";
import { requireUser } from "~/http/guard.server";
import styles from "~/styles/dashboard.css";
import log from "~/styles/log.css";
import progress from "~/styles/progress.css";

export const links: LinksFunction = () => [styles, log, progress].map((href) => ({ rel: "stylesheet", href }));

type Section = Awaited<ReturnType<typeof loadDashboard>>["sections"][number];

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  const { firstName, company } = user;
  return json({ firstName, company, work: await loadOwnWork(user), ...(await loadDashboard(user)) });
}

export default function Dashboard() {
  const { firstName, company, work, sections, codeCount } = useLoaderData<typeof loader>();
  return (
    <div className="stack-l">
      <PageHeader title={`Welcome, ${firstName}`}>
        <p>
          <bdi>{company}</bdi>
        </p>
      </PageHeader>
      {work?.first && <FirstCertificate {...work.first} />}
      {work?.own && (
        <>
          <OwnCounts counts={work.own.counts} />
          <NextTasks tasks={work.own.tasks} />
          <EndingStrip {...work.own.strip} />
        </>
      )}
      {sections.map((section) => (
        <DashboardSection key={section.title} {...section}>
          {section.title === "ID Codes" && <OwnCodes count={codeCount} />}
        </DashboardSection>
      ))}
      {work?.own && <RecentEvents events={work.own.events} />}
    </div>
  );
}

function DashboardSection({ title, tiles, children }: Section & { children?: React.ReactNode }) {
  if (tiles.length === 0 && !children) return null;
  const id = `${title.toLowerCase().replace(" ", "-")}-heading`;
  return (
    <section className="stack" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
      {tiles.length > 0 && (
        <div className="tiles">
          {tiles.map(({ tile, title: name, text, page, ...count }) => (
            <Tile key={tile} title={name} to={page} {...count}>
              {text}
            </Tile>
          ))}
        </div>
      )}
    </section>
  );
}

function OwnCodes({ count }: { count: number }) {
  const { faqLink } = useShell().portal.links;
  return (
    <p>
      {`You have ${count} ID ${count === 1 ? "code" : "codes"}. `}
      <a href={faqLink}>Learn more about ID codes</a>
    </p>
  );
}

export const meta = pageTitle("Home");

import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { pageTitle } from "~/components/shell/page-title";
import { useShell } from "~/components/shell/shell";
import { Note } from "~/components/ui/note";
import { PageHeader } from "~/components/ui/page-header";
import { Tile } from "~/components/ui/tile";
import { Time } from "~/components/ui/time";
import { loadDashboard } from "~/domain/homepage/dashboard.service.server";
import { requireUser } from "~/http/guard.server";
import { paths } from "~/lib/paths";

type Section = Awaited<ReturnType<typeof loadDashboard>>["sections"][number];

export async function loader({ request }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  return json({ firstName: user.firstName, ...(await loadDashboard(user)) });
}

export default function Dashboard() {
  const { firstName, sections, codeCount, expiring } = useLoaderData<typeof loader>();
  return (
    <div className="stack-l">
      <PageHeader title={`Welcome, ${firstName}`} />
      {expiring.length > 0 && (
        <Note tone="warn" title="Certificates that end within 30 days">
          <ul>
            {expiring.map(({ id, commonName, expiryDate }) => (
              <li key={id}>
                <Link to={paths.certificateDetails(id)}>{commonName}</Link> expires on <Time value={expiryDate} />
              </li>
            ))}
          </ul>
        </Note>
      )}
      {sections.map((section) => (
        <DashboardSection key={section.title} {...section}>
          {section.title === "ID Codes" && <OwnCodes count={codeCount} />}
        </DashboardSection>
      ))}
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

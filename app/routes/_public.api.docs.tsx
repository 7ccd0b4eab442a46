import { json, type LinksFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { readableCalls } from "~/api/reference.server";
import { pageTitle } from "~/components/shell/page-title";
import { PageHeader } from "~/components/ui/page-header";
import { rarePaths } from "~/lib/rare-paths";
import styles from "~/styles/policy.css";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: styles }];

export const loader = () => json(readableCalls());

/** The API reference, made from the OpenAPI description. */
export default function ApiDocs() {
  const { html, headings } = useLoaderData<typeof loader>();
  const chapters = headings.filter(({ depth }) => depth === 2);
  return (
    <div className="stack-l">
      <PageHeader title="JSON calls">
        <p>
          What programs can do with this portal. The same <a href={rarePaths.openApi}>as an OpenAPI 3.1 description</a>.
        </p>
      </PageHeader>
      <nav aria-label="Contents">
        <ol role="list">
          {chapters.map(({ id, title }) => (
            <li key={id}>
              <a href={`#${id}`}>{title}</a>
            </li>
          ))}
        </ol>
      </nav>
      <div className="policy calls" dangerouslySetInnerHTML={{ __html: html }} />
    </div>
  );
}

export const meta = pageTitle("JSON calls");

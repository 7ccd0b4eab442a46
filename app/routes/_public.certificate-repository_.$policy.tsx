import { json, type LinksFunction, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { pageTitle } from "~/components/shell/page-title";
import { PageHeader } from "~/components/ui/page-header";
import { Time } from "~/components/ui/time";
import { findPolicyEntry } from "~/domain/repository/policies/catalogue";
import { readPolicyPage } from "~/domain/repository/policies/policies.service.server";
import { notFound } from "~/lib/errors";
import { paths } from "~/lib/paths";
import styles from "~/styles/policy.css";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: styles }];

export function loader({ params }: LoaderFunctionArgs) {
  const entry = findPolicyEntry(params.policy);
  if (!entry) throw notFound();
  return json({ ...readPolicyPage(entry), pdf: paths.repositoryFile(entry.file) });
}

/** A policy as a page, with the same text as its PDF, for screen readers and crawlers. */
export default function PolicyPage() {
  const { title, version, date, fingerprint, html, headings, pdf } = useLoaderData<typeof loader>();
  return (
    <div className="stack-l">
      <PageHeader title={title} back={{ to: paths.publicRepository, label: "Certificate repository" }}>
        <p>
          Version {version}, in force from <Time value={date} />. <a href={pdf}>{title} as PDF</a>
        </p>
        <p>
          Fingerprint of the text: <code>{fingerprint}</code>
        </p>
      </PageHeader>
      <nav aria-label="Contents">
        <ol role="list">
          {headings
            .filter(({ depth }) => depth === 2)
            .map((heading) => (
              <li key={heading.id}>
                <a href={`#${heading.id}`}>{heading.title}</a>
              </li>
            ))}
        </ol>
      </nav>
      <div className="policy" dangerouslySetInnerHTML={{ __html: html }} />
    </div>
  );
}

export const meta = pageTitle<typeof loader>(({ data }) => data?.title ?? "Policy");

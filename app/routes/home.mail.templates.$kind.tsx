import { json, redirectDocument, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { FilterLinks } from "~/components/lists/filter-links";
import { pageTitle } from "~/components/shell/page-title";
import { Card } from "~/components/ui/card";
import { PageHeader } from "~/components/ui/page-header";
import { previewTemplate } from "~/domain/mail/preview.service.server";
import { requireUser } from "~/http/guard.server";
import { staffPaths } from "~/lib/staff-paths";

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  await requireUser(request, "see-mail");
  const { pathname, search, searchParams } = new URL(request.url);
  const { mail, ...preview } = previewTemplate(params.kind, searchParams);
  // Only this page's own Content-Security-Policy allows the frame, so the page is loaded as a document.
  if (context.isNavigation) throw redirectDocument(pathname + search);
  return json({ ...preview, subject: mail.subject, text: mail.text });
}

const SCHEMES = [
  { name: undefined, label: "as on this device" },
  { name: "light", label: "light" },
  { name: "dark", label: "dark" },
];

export default function MailTemplate() {
  const { kind, title, about, titles, number, subject, text, scheme } = useLoaderData<typeof loader>();
  const choices = titles.map((label, index) => ({
    label,
    to: staffPaths.mailTemplate(kind, { example: index + 1, scheme }),
    isCurrent: index + 1 === number,
  }));
  const schemes = SCHEMES.map(({ name, label }) => ({
    label,
    to: staffPaths.mailTemplate(kind, { example: number, scheme: name }),
    isCurrent: name === scheme,
  }));
  return (
    <div className="stack-l">
      <PageHeader title={title} back={{ to: staffPaths.mailTemplates, label: "Back to the templates" }}>
        <p>{about}</p>
      </PageHeader>
      {choices.length > 1 && <FilterLinks label="Examples" caption="Example:" choices={choices} />}
      <FilterLinks label="Colours" caption="Colours:" choices={schemes} />
      <p>
        Subject: <strong>{subject}</strong>
      </p>
      <Card title="HTML">
        <iframe
          className="message"
          sandbox=""
          src={staffPaths.mailTemplateHtml(kind, { example: number, scheme })}
          title={`HTML part of the message: ${title}`}
        />
      </Card>
      <Card title="Plain text">
        <pre className="message" tabIndex={0}>
          {text}
        </pre>
      </Card>
    </div>
  );
}

export const meta = pageTitle<typeof loader>(({ data }) => data?.title ?? "Message templates");

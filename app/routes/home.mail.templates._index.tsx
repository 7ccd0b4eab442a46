import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { TemplateTable } from "~/components/mail/template-table";
import { pageTitle } from "~/components/shell/page-title";
import { PageHeader } from "~/components/ui/page-header";
import { listTemplates } from "~/domain/mail/preview.service.server";
import { requireUser } from "~/http/guard.server";
import { staffPaths } from "~/lib/staff-paths";

export async function loader({ request }: LoaderFunctionArgs) {
  await requireUser(request, "see-mail");
  return json({ templates: listTemplates() });
}

export default function MailTemplates() {
  const { templates } = useLoaderData<typeof loader>();
  return (
    <div className="stack-l">
      <PageHeader title="Message templates" back={{ to: staffPaths.mail, label: "Back to email" }}>
        <p>Every message that the portal sends, with example data.</p>
      </PageHeader>
      <TemplateTable templates={templates} />
    </div>
  );
}

export const meta = pageTitle("Message templates");

import { json, redirectDocument, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { PartnerFrame } from "~/components/frame/partner-frame";
import { pageTitle } from "~/components/shell/page-title";
import { PageHeader } from "~/components/ui/page-header";
import { openFramedForm } from "~/domain/frame/framed-form.service.server";
import { requireUser } from "~/http/guard.server";
import { notFound } from "~/lib/errors";
import { paths } from "~/lib/paths";
import { rarePaths } from "~/lib/rare-paths";

/** This GET stores something: the specification requires that the parameters of the address are stored as the entry `queryParams`. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const user = await requireUser(request);
  const { targetSite, targetUrl, json: data } = params;
  if (!targetSite || !targetUrl) throw notFound();
  const { pathname, search, searchParams: query } = new URL(request.url);
  // Only this page's own Content-Security-Policy allows the frame, so the page is loaded as a document.
  if (context.isNavigation) throw redirectDocument(pathname + search);
  const form = await openFramedForm({ user, targetSite, targetUrl, json: data, query });
  return json({ ...form, problemUrl: rarePaths.frameProblem(targetSite, targetUrl) });
}

export default function FramedForm() {
  const form = useLoaderData<typeof loader>();
  return (
    <div className="stack">
      <PageHeader title="External form" back={{ to: paths.dashboard }}>
        {`This form is provided by ${form.host}.`}
      </PageHeader>
      <PartnerFrame {...form} />
    </div>
  );
}

export const meta = pageTitle("External form");

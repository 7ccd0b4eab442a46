import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { pageTitle } from "~/components/shell/page-title";
import { ButtonRow, LinkButton } from "~/components/ui/buttons";
import { PageHeader } from "~/components/ui/page-header";
import { requireUser } from "~/http/guard.server";
import { notFound } from "~/lib/errors";
import { findPrivateFile } from "~/lib/private-files";

/** Shown after a login that a link to a file required. Whether the file exists is answered at the file's own address. */
export async function loader({ request }: LoaderFunctionArgs) {
  await requireUser(request);
  const address = new URL(request.url).searchParams.get("address") ?? "";
  const file = findPrivateFile(address);
  if (!file) throw notFound();
  return json({ address, name: file.name, page: file.page });
}

export default function PrivateFile() {
  const { address, name, page } = useLoaderData<typeof loader>();
  return (
    <div className="narrow stack-l">
      <PageHeader title="Download">The file that you asked for is one click away.</PageHeader>
      <ButtonRow>
        <LinkButton to={address} reloadDocument variant="primary">
          Download the {name}
        </LinkButton>
        <LinkButton to={page.to} variant="quiet">
          {page.label}
        </LinkButton>
      </ButtonRow>
    </div>
  );
}

export const meta = pageTitle("Download");

import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { RepositoryContents } from "~/components/repository/repository-contents";
import { pageTitle } from "~/components/shell/page-title";
import { listRepository } from "~/domain/repository/repository.service.server";
import { requireUser } from "~/http/guard.server";

export async function loader({ request }: LoaderFunctionArgs) {
  await requireUser(request);
  return json(await listRepository());
}

export default function CertificateRepository() {
  return <RepositoryContents {...useLoaderData<typeof loader>()} />;
}

export const meta = pageTitle("Certificate repository");

import { json } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { RepositoryContents } from "~/components/repository/repository-contents";
import { pageTitle } from "~/components/shell/page-title";
import { listRepository } from "~/domain/repository/repository.service.server";

export async function loader() {
  return json(await listRepository());
}

export default function PublicCertificateRepository() {
  return <RepositoryContents {...useLoaderData<typeof loader>()} />;
}

export const meta = pageTitle("Certificate repository");

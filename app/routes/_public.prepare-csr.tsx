import { json, type LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData, useLocation } from "@remix-run/react";
import { MarkNotes } from "~/components/certificates/broken-rules";
import { ErrorSummary } from "~/components/forms/error-summary";
import { fieldId } from "~/components/forms/form-id";
import { BrowserKey } from "~/components/prepare-csr/browser-key";
import { CommandCards } from "~/components/prepare-csr/command-cards";
import {
  DetailsForm,
  PREPARATION_LABELS,
  PREPARE_FORM,
  type PreparationErrors,
} from "~/components/prepare-csr/details-form";
import { pageTitle } from "~/components/shell/page-title";
import { useShell } from "~/components/shell/shell";
import { Note } from "~/components/ui/note";
import { PageHeader } from "~/components/ui/page-header";
import { PREPARATION_FIELDS } from "~/domain/certificates/request/preparation/preparation-fields";
import {
  listIsoCountries,
  prepareCsr,
  type Prepared,
  readPreparation,
} from "~/domain/certificates/request/preparation/preparation.service.server";
import { paths } from "~/lib/paths";
import { rarePaths } from "~/lib/rare-paths";

interface PageData {
  errors: PreparationErrors;
  prepared: Prepared | null;
}

export async function loader({ request }: LoaderFunctionArgs) {
  const { values, isSent } = readPreparation(new URL(request.url).searchParams);
  const page = { values, countries: await listIsoCountries() };
  const nothing: PageData = { errors: {}, prepared: null };
  if (!isSent) return json({ ...page, ...nothing });
  const result = await prepareCsr(values);
  if (!result.ok) return json({ ...page, ...nothing, errors: result.errors }, { status: 422 });
  return json({ ...page, ...nothing, prepared: result.prepared });
}

export default function PrepareCsr() {
  const { values, countries, errors, prepared } = useLoaderData<typeof loader>();
  const { user } = useShell();
  const { search } = useLocation();
  const problems = PREPARATION_FIELDS.filter((field) => errors[field]).map((field) => ({
    message: `${PREPARATION_LABELS[field]}: ${errors[field]}`,
    href: `#${fieldId(PREPARE_FORM, field)}`,
  }));
  return (
    <div className="stack-l">
      <ErrorSummary errors={problems} />
      <PageHeader title="Prepare a CSR" back={{ to: user ? paths.certificates : paths.login(), label: "Back" }}>
        <p>
          A certificate signing request (CSR) contains the details of your certificate and is signed with your private
          key. Enter the details, choose a way to make both, and import the CSR when you order.
        </p>
      </PageHeader>
      <Note tone="warn" title="What to keep.">
        <p>
          Keep the private key and its passphrase, in two safe places: the certificate is useless without them, and
          nobody can restore them. Give the private key to nobody, not even to us; only the CSR leaves your system.
        </p>
      </Note>
      <DetailsForm values={values} errors={errors} countries={countries} />
      {prepared && (
        <section className="stack" aria-labelledby="ways">
          <h2 id="ways">Choose one way</h2>
          <MarkNotes marks={prepared.marks} />
          <BrowserKey key={search} request={prepared.browser} />
          <CommandCards commands={prepared.commands} fileHref={rarePaths.prepareCsrFile(values)} />
        </section>
      )}
    </div>
  );
}

export const meta = pageTitle("Prepare a CSR");

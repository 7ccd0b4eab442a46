import { json, type ActionFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { BrokenRulesNote } from "~/components/certificates/broken-rules";
import { PreflightResult } from "~/components/check-csr/result";
import { ErrorSummary } from "~/components/forms/error-summary";
import { FileField } from "~/components/forms/file-field";
import { PortalForm } from "~/components/forms/form";
import { TextareaField } from "~/components/forms/textarea-field";
import { UsageFields } from "~/components/purchase/usage-fields";
import { pageTitle } from "~/components/shell/page-title";
import { useShell } from "~/components/shell/shell";
import { ButtonRow, SubmitButton } from "~/components/ui/buttons";
import { PageHeader } from "~/components/ui/page-header";
import { type Preflight, preflightCsr } from "~/domain/certificates/preflight/preflight.service.server";
import { USAGE_FLAGS } from "~/domain/certificates/purchase/fields";
import { csrFields } from "~/domain/certificates/request/csr-fields.server";
import { readSentCsr } from "~/domain/certificates/request/sent-csr.server";
import { preflightValidator as validator } from "~/domain/certificates/validators";
import { readForm } from "~/http/forms.server";
import { BODY_LIMIT } from "~/http/limits";
import { addressOf } from "~/http/rate-limit.server";
import { invalid, refused, typedAgain } from "~/http/responses.server";
import { asLines, type BrokenRule } from "~/lib/broken-rule";
import { getConfig } from "~/lib/config.server";
import { paths } from "~/lib/paths";

const FORM = "check-csr";
const LABELS = { csr: "Your CSR", csrFile: "or choose a CSR file", usage: "Certificate usage" } as const;
const ALL_USAGES = Object.fromEntries(USAGE_FLAGS.map((flag) => [flag, "on"]));

export const loader = () => json({ asksForNames: getConfig().names.domainControl !== "off" });

export async function action({ request }: ActionFunctionArgs) {
  const submitted = await readForm(request, { limit: BODY_LIMIT });
  const { csr, shown } = readSentCsr(await csrFields(submitted));
  submitted.set("csr", shown);
  submitted.delete("csrFile");
  const form = await validator.validate(submitted);
  if (form.error) return invalid(form.error, form.submittedData);
  try {
    const preflight = await preflightCsr(csr.input, form.data.usage, addressOf(request));
    if (preflight.csr !== null) return typedAgain(form.submittedData, FORM, { preflight });
    const { rules } = preflight;
    const fieldErrors = { [csr.field]: asLines(rules.map(({ message }) => message)) };
    return invalid({ formId: FORM, fieldErrors, rules }, form.submittedData);
  } catch (error) {
    return refused(error, form.submittedData, FORM);
  }
}

/** Judges a CSR for everybody, before there is an account or an order. */
export default function CheckCsr() {
  const { preflight, rules = [] } = useActionData<{ preflight?: Preflight; rules?: BrokenRule[] }>() ?? {};
  const { asksForNames } = useLoaderData<typeof loader>();
  const { user, portal } = useShell();
  return (
    <div className="stack-l">
      <ErrorSummary formId={FORM} order={Object.keys(LABELS)} labels={LABELS} />
      <PageHeader
        title="Check a CSR"
        back={{ to: user ? paths.certificates : paths.login(), label: "Back" }}
        actions={
          preflight && (
            <a href={`#${FORM}`} className="btn">
              Check another CSR
            </a>
          )
        }
      >
        <p>
          Shows whether an order would take your certificate signing request (CSR), and which certificate would come out
          of it. The <a href={paths.csrRules()}>rules</a> are those of an order. You need no account, and nothing is
          stored.
        </p>
      </PageHeader>
      {preflight && <PreflightResult preflight={preflight} />}
      <PortalForm id={FORM} validator={validator} encType="multipart/form-data" defaultValues={ALL_USAGES}>
        <TextareaField
          name="csr"
          label={LABELS.csr}
          rows={12}
          mono
          autoComplete="off"
          hint="Starts with -----BEGIN CERTIFICATE REQUEST-----. Never paste a private key."
        />
        <FileField name="csrFile" label={LABELS.csrFile} accept=".csr,.req,.p10,.pem,.der,.txt" />
        <BrokenRulesNote rules={rules} />
        <UsageFields />
        <ButtonRow>
          <SubmitButton busyText="Checking…">Check the CSR</SubmitButton>
        </ButtonRow>
      </PortalForm>
      <p className="hint">
        Not checked here, but by an order: whether a certificate or an order has the key already,{" "}
        {asksForNames
          ? "whether the key shares a prime factor with another one, and whether your company has confirmed the names."
          : "and whether the key shares a prime factor with another one."}{" "}
        No CSR yet? <a href={portal.links.prepareCsrLink}>Prepare CSR</a> writes the commands for OpenSSL and keytool.
      </p>
    </div>
  );
}

export const meta = pageTitle("Check a CSR");

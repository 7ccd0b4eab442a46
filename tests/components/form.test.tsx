import { type ActionFunctionArgs } from "@remix-run/node";
import { withZod } from "@remix-validated-form/with-zod";
import { expect, test } from "vitest";
import { z } from "zod";
import { CheckboxField } from "~/components/forms/checkbox-field";
import { ErrorSummary } from "~/components/forms/error-summary";
import { PortalForm } from "~/components/forms/form";
import { PasswordField } from "~/components/forms/password-field";
import { TextField } from "~/components/forms/text-field";
import { SubmitButton } from "~/components/ui/buttons";
import { PageHeader } from "~/components/ui/page-header";
import { invalid } from "~/http/responses.server";
import { email, requiredText } from "~/lib/fields";
import { pageText, select, summaryOf, textsOf, valueOf } from "../support/page";
import { shell, visit } from "./portal";

const validator = withZod(z.object({ email: email(), password: requiredText(50), terms: z.literal("on").optional() }));

const page = {
  title: "Registration - Supply Chain CA",
  view: () => (
    <>
      <ErrorSummary formId="register" order={["password", "email"]} labels={{ email: "E-mail" }} />
      <PageHeader title="Registration" />
      <PortalForm id="register" validator={validator} defaultIntent="next" defaultValues={{ terms: true }}>
        <TextField name="email" label="E-mail" hint="Of your company" noPaste />
        <PasswordField name="password" label="Password" autoComplete="new-password" />
        <CheckboxField name="terms" label="I agree" />
        <SubmitButton intent="next">Register</SubmitButton>
      </PortalForm>
    </>
  ),
  action: async ({ request }: ActionFunctionArgs) => {
    const result = await validator.validate(await request.formData());
    return result.error ? invalid(result.error, result.submittedData) : null;
  },
};

const refused = () =>
  visit(page, {
    body: new URLSearchParams({ __rvfInternalFormId: "register", email: "no address", password: "", intent: "next" }),
  });

test("[REG-07] a form shows no messages at first, and after a submit each message at its field", async () => {
  const fresh = await visit(page);
  expect(fresh.html).not.toContain("There is a problem");
  expect(fresh.html).not.toContain("aria-invalid");

  const { status, html } = await refused();
  expect(status).toBe(422);
  expect(textsOf(html, "title")).toEqual(["Error: Registration - Supply Chain CA"]);
  expect(textsOf(html, "h1, h2")).toEqual(["There is a problem", "Registration"]);
  expect(summaryOf(html)).toEqual(["Password: This field is required.", "E-mail: Email address is not valid."]);
  expect(textsOf(html, 'a[href="#register-password"]')).toEqual(["Password: This field is required."]);
  expect(textsOf(html, 'a[href="#register-email"]')).toEqual(["E-mail: Email address is not valid."]);
  expect(textsOf(html, "p.err#register-email-error")).toEqual(["Email address is not valid."]);
  const field = select(html, "#register-email");
  expect(field.attr("aria-invalid")).toBe("true");
  expect(field.attr("aria-describedby")).toMatch(/^register-email-hint register-email-error/);
});

test("[GEN-04] a refused form keeps the typed values, but no password and no box that was unticked", async () => {
  const { html } = await refused();
  expect(valueOf(html, "email")).toBe("no address");
  expect(select(html, "input#register-password:not([value])")).toHaveLength(1);
  expect(select(html, "input#register-terms:not(:checked)")).toHaveLength(1);
  expect(select((await visit(page)).html, "input#register-terms:checked")).toHaveLength(1);
});

test("a form works without scripts: token, default button first, nothing disabled, no validation by the browser", async () => {
  const { html } = await visit(page);
  const form = select(html, "form#register");
  expect(form.attr()).toMatchObject({ method: "post", novalidate: "" });
  expect(form.find('[name="csrf"]').attr("value")).toBe(shell.csrf);
  const first = { type: "submit", name: "intent", value: "next", class: "vh", tabindex: "-1", "aria-hidden": "true" };
  expect(form.find("button").attr()).toEqual(first);
  expect(form.find("[disabled], [aria-disabled]")).toHaveLength(0);
});

test("a field that blocks pasting says so, and only when it is configured", async () => {
  const words = "Copy and paste are switched off for this field.";
  expect(pageText((await visit(page)).html)).toContain(words);
  const open = { ...page, shell: { portal: { ...shell.portal, pasteBlocking: false } } };
  expect((await visit(open)).html).not.toContain(words);
});

import { useId } from "react";
import { useFormContext } from "remix-validated-form";
import { FORM_ERROR } from "~/lib/form-error";
import { namedMessage, wordsOf } from "./field-label";
import { focusField } from "./focus";
import { fieldId, NO_FORM } from "./form-id";
import { useSummaryFocus } from "./summary-focus";

export interface SummaryError {
  message: string;
  href?: string;
}

interface Props {
  formId?: string;
  /** The names of the fields in the order of the page. The default is the order of the validator. */
  order?: readonly string[];
  /** Labels of the fields whose label differs from their name in words, or "" when the message needs no label. */
  labels?: Readonly<Record<string, string>>;
  /** Errors that belong to no field. */
  errors?: readonly (string | SummaryError)[];
}

function inOrder(names: string[], order: readonly string[]) {
  const place = (name: string) => {
    if (name === FORM_ERROR) return -1;
    return order.includes(name) ? order.indexOf(name) : order.length;
  };
  return names.sort((one, other) => place(one) - place(other));
}

/** Lists the errors above the page's heading, an item for each line of a message, each linked to its field, and takes the focus. */
export function ErrorSummary({ formId = NO_FORM, order = [], labels = {}, errors = [] }: Props) {
  const headingId = useId();
  const { fieldErrors, isSubmitting } = useFormContext(formId);
  const fieldItems = inOrder(Object.keys(fieldErrors), order).flatMap((name) =>
    (fieldErrors[name] ?? "").split("\n").map((line, index): SummaryError => {
      if (name === FORM_ERROR) return { message: line };
      const message = index === 0 ? namedMessage(labels[name] ?? wordsOf(name), line) : line;
      return { message, href: `#${fieldId(formId, name)}` };
    }),
  );
  const general = errors.map((error): SummaryError => (typeof error === "string" ? { message: error } : error));
  const items = [...general, ...fieldItems];
  const box = useSummaryFocus(items.map((item) => item.message).join("\n"), isSubmitting);

  if (items.length === 0) return null;
  return (
    <div className="errors" role="alert" tabIndex={-1} autoFocus ref={box} aria-labelledby={headingId}>
      <h2 id={headingId}>There is a problem</h2>
      <ul role="list">
        {items.map(({ message, href }) => (
          <li key={`${href ?? ""} ${message}`}>
            {href ? (
              <a href={href} onClick={focusField}>
                {message}
              </a>
            ) : (
              message
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

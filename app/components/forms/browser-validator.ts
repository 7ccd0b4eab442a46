import { type GenericObject, type Validator } from "remix-validated-form";

interface Options {
  formId: string;
  /** The intent to assume while no button has been pressed, for validators that are a union on `intent`. */
  defaultIntent?: string;
}

/** Notes on the form whether the pressed button skips validation (`formnovalidate`). Returns whether the form is validated. */
export function noteSubmitter(event: React.FormEvent<HTMLFormElement>): boolean {
  const { submitter } = event.nativeEvent as SubmitEvent;
  const unchecked = submitter instanceof HTMLButtonElement && submitter.formNoValidate;
  event.currentTarget.toggleAttribute("data-unchecked", unchecked);
  return !unchecked;
}

/** Returns the page's validator as the browser runs it. It skips buttons such as Back, and adds the default intent while the user types. */
export function browserValidator<Data>(validator: Validator<Data>, options: Options): Validator<Data> {
  return {
    validate: async (values: GenericObject) => {
      const form = document.getElementById(options.formId);
      if (form?.hasAttribute("data-unchecked")) {
        form.removeAttribute("data-unchecked");
        return { data: {} as Data, error: undefined, submittedData: {} };
      }
      if (options.defaultIntent && values instanceof FormData && !values.has("intent")) {
        const complete = new FormData();
        for (const [name, value] of values) complete.append(name, value);
        complete.append("intent", options.defaultIntent);
        return validator.validate(complete);
      }
      return validator.validate(values);
    },
  };
}

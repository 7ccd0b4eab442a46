import { usePortalField } from "./portal-field";

type InputProps = React.ComponentPropsWithoutRef<"input">;

/** A hidden value of the form. It comes back with a refused form, like typed values. */
export function HiddenField({ name }: { name: string }) {
  const { getInputProps } = usePortalField(name);
  return <input {...getInputProps<InputProps>({ type: "hidden" })} />;
}

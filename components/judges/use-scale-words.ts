import { useFormatter, useTranslations } from "next-intl";
import type { Judge } from "@/lib/api/shapes.ts";

/** The scale of a judge in words. */
export function useScaleWords() {
  const t = useTranslations("judges");
  const format = useFormatter();
  return (scale: Judge["scale"]): string => {
    switch (scale.kind) {
      case "number":
        return `${format.number(scale.min)} – ${format.number(scale.max)}`;
      case "boolean":
        return t("scales.boolean");
      case "category":
        return scale.values.join(", ");
      default:
        return scale satisfies never;
    }
  };
}

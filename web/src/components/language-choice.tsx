import { i18n } from '@expresslane/shared/base/language'
import { chooseLanguage, languages, nameOf } from '#language'
import classes from './controls.module.css'
import { SelectField } from './select-field.tsx'

/** Each language has its own name in it: a reader finds theirs on a page that they can't read. */
export function LanguageChoice() {
  return (
    <div className={classes.language}>
      <SelectField
        label={i18n.t('Language')}
        value={i18n.locale}
        options={languages.map((one) => [one, nameOf(one)])}
        onChange={chooseLanguage}
      />
    </div>
  )
}

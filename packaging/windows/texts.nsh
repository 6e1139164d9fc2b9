; What the installer says beside the pages of NSIS itself, in three tongues.
!macro SAY NAME CYRILLIC LATIN ENGLISH
  LangString ${NAME} ${LANG_SERBIAN} `${CYRILLIC}`
  LangString ${NAME} ${LANG_SERBIANLATIN} `${LATIN}`
  LangString ${NAME} ${LANG_ENGLISH} `${ENGLISH}`
!macroend

!insertmacro SAY noAdministrator \
  "За инсталацију је потребан администратор. Ништа није промењено." \
  "Za instalaciju je potreban administrator. Ništa nije promenjeno." \
  "An administrator is needed to install. Nothing was changed."
!insertmacro SAY isNewer \
  "Инсталирана је новија верзија, $installed. Ова је ${VERSION}. Ништа није промењено." \
  "Instalirana je novija verzija, $installed. Ova je ${VERSION}. Ništa nije promenjeno." \
  "A newer version, $installed, is installed. This is ${VERSION}. Nothing was changed."
!insertmacro SAY noDisk \
  "На диску нема довољно места: ослободите 300 MB па покушајте поново. Ништа није промењено." \
  "Na disku nema dovoljno mesta: oslobodite 300 MB pa pokušajte ponovo. Ništa nije promenjeno." \
  "The disk is too full: free 300 MB and try again. Nothing was changed."
!insertmacro SAY otherSetup \
  "Друга инсталација је у току. Сачекајте да се заврши." \
  "Druga instalacija je u toku. Sačekajte da se završi." \
  "Another setup is running. Wait until it ends."
!insertmacro SAY isRunning \
  "Каса је отворена. Започета продаја се чува.$\n$\n„Покушај поново“ затвара касу и наставља; за време наплате или штампе се не затвара. „Откажи“ оставља све како јесте." \
  "Kasa je otvorena. Započeta prodaja se čuva.$\n$\n„Pokušaj ponovo“ zatvara kasu i nastavlja; za vreme naplate ili štampe se ne zatvara. „Otkaži“ ostavlja sve kako jeste." \
  "The till is open. A sale that was begun is kept.$\n$\nRetry closes the till and goes on; during a payment or a print it stays open. Cancel leaves all as it is."
!insertmacro SAY upgrading \
  "Подаци се преузимају у нову верзију …" \
  "Podaci se preuzimaju u novu verziju …" \
  "The data are brought to the new version …"
!insertmacro SAY compiling \
  "Програм се припрема за брзо покретање …" \
  "Program se priprema za brzo pokretanje …" \
  "The program is made ready to start fast …"
!insertmacro SAY failed \
  "Нова верзија није могла да се инсталира. Претходна верзија и подаци су враћени." \
  "Nova verzija nije mogla da se instalira. Prethodna verzija i podaci su vraćeni." \
  "The new version could not be installed. The version before and its data are back."
!insertmacro SAY kept \
  "Програм је уклоњен. Подаци продавнице су остали у фасцикли $data." \
  "Program je uklonjen. Podaci prodavnice su ostali u fascikli $data." \
  "The program was removed. The data of the shop were kept in $data."
!insertmacro SAY runTill "Отвори касу" "Otvori kasu" "Open the till"
!insertmacro SAY serviceName \
  "Сервис (за рачунар без касе)" "Servis (za računar bez kase)" "Service (for a computer without a till)"
!insertmacro SAY iconsName \
  "Пречице у менију и на радној површини" "Prečice u meniju i na radnoj površini" \
  "Entries in the menu and on the desktop"

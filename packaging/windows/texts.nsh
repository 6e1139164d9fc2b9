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
!insertmacro SAY oldWindows \
  "Потребан је Windows 10 (верзија 1703) или новији. Ништа није промењено." \
  "Potreban je Windows 10 (verzija 1703) ili noviji. Ništa nije promenjeno." \
  "Windows 10 (version 1703) or newer is needed. Nothing was changed."
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
!insertmacro SAY notInstalled \
  "Програм није могао да се инсталира. Ништа није промењено." \
  "Program nije mogao da se instalira. Ništa nije promenjeno." \
  "The program could not be installed. Nothing was changed."
!insertmacro SAY otherData \
  "Подаци продавнице су у фасцикли $data. Нова верзија не може да пређе у другу ($R1). Ништа није промењено." \
  "Podaci prodavnice su u fascikli $data. Nova verzija ne može da pređe u drugu ($R1). Ništa nije promenjeno." \
  "The data of the shop are in $data. An upgrade can't take another folder ($R1). Nothing was changed."
!insertmacro SAY badData \
  "Подаци не могу да буду у $R1: потребна је цела путања (C:\фасцикла), не цео диск, на диску који постоји. Ништа није промењено." \
  "Podaci ne mogu da budu u $R1: potrebna je cela putanja (C:\fascikla), ne ceo disk, na disku koji postoji. Ništa nije promenjeno." \
  "The data can't be in $R1: it takes a whole path (C:\folder), not a whole drive, on a drive that is there. Nothing was changed."
!insertmacro SAY noData \
  "Фасцикла за податке $data не може да се направи. Програм није инсталиран; што је било пре, враћено је." \
  "Fascikla za podatke $data ne može da se napravi. Program nije instaliran; što je bilo pre, vraćeno je." \
  "The data folder $data can't be made. The program was not installed; what was there before is back."
!insertmacro SAY noRights \
  "Програм је инсталиран, али права на фасциклу $data нису постављена: други налози можда неће моћи да продају. Шта је Windows јавио пише у $INSTDIR\setup.log." \
  "Program je instaliran, ali prava na fasciklu $data nisu postavljena: drugi nalozi možda neće moći da prodaju. Šta je Windows javio piše u $INSTDIR\setup.log." \
  "The program is installed, but the rights of $data were not set: other accounts may not be able to sell. What Windows said is in $INSTDIR\setup.log."
!insertmacro SAY notUpgraded \
  "Нова верзија је инсталирана и остаје, јер је отворена пре краја инсталације. Копија података није направљена. Покрените инсталацију још једном, са затвореном касом. Подаци остају где јесу." \
  "Nova verzija je instalirana i ostaje, jer je otvorena pre kraja instalacije. Kopija podataka nije napravljena. Pokrenite instalaciju još jednom, sa zatvorenom kasom. Podaci ostaju gde jesu." \
  "The new version is installed and stays, because it was opened before setup was done. The data were not copied aside. Run this setup once more with the till closed. The data stay where they are."
!insertmacro SAY serviceDown \
  "Сервис pos-app не ради, па рачуне нико не издаје. Покрените га у услугама система Windows (services.msc)." \
  "Servis pos-app ne radi, pa račune niko ne izdaje. Pokrenite ga u uslugama sistema Windows (services.msc)." \
  "The service pos-app does not run, so nobody issues receipts. Start it in Windows's services (services.msc)."
!insertmacro SAY kept \
  "Програм је уклоњен. Подаци продавнице су остали у фасцикли $data." \
  "Program je uklonjen. Podaci prodavnice su ostali u fascikli $data." \
  "The program was removed. The data of the shop were kept in $data."
!insertmacro SAY planTitle "Шта се инсталира" "Šta se instalira" "What is installed"
!insertmacro SAY planAbout \
  "Још ништа није промењено." "Još ništa nije promenjeno." "Nothing was changed yet."
!insertmacro SAY planVersionHead "Верзија" "Verzija" "Version"
!insertmacro SAY planFirst \
  "${VERSION}, прва инсталација на овом рачунару." \
  "${VERSION}, prva instalacija na ovom računaru." \
  "${VERSION}, installed on this computer for the first time."
!insertmacro SAY planUpgrade \
  "$installed → ${VERSION}. Пречице и сервис остају како јесу." \
  "$installed → ${VERSION}. Prečice i servis ostaju kako jesu." \
  "$installed → ${VERSION}. Entries and service stay as they are."
!insertmacro SAY planAgain \
  "${VERSION} је већ инсталирана и инсталира се поново. На следећој страни може да се дода што недостаје." \
  "${VERSION} je već instalirana i instalira se ponovo. Na sledećoj strani može da se doda što nedostaje." \
  "${VERSION} is installed already, and is installed again. What is lacking can be added on the next page."
!insertmacro SAY planPartsHead "Програми" "Programi" "Programs"
!insertmacro SAY planParts \
  "Каса, за продају, и локални сервер, који издаје фискалне рачуне и прима налоге других програма." \
  "Kasa, za prodaju, i lokalni server, koji izdaje fiskalne račune i prima naloge drugih programa." \
  "The till, to sell with, and the local server, which issues fiscal receipts and takes orders of other programs."
!insertmacro SAY planService \
  "Сервер ради као сервис система Windows." \
  "Server radi kao servis sistema Windows." \
  "The server runs as a service of Windows."
!insertmacro SAY planFolderHead "Фасцикла програма" "Fascikla programa" "Folder of the program"
!insertmacro SAY planDataHead "Подаци продавнице" "Podaci prodavnice" "Data of the shop"
!insertmacro SAY planDataNew \
  "Рачуни, артикли и подешавања. Остају и кад се програм уклони." \
  "Računi, artikli i podešavanja. Ostaju i kad se program ukloni." \
  "Receipts, articles and settings. They stay when the program is removed, too."
!insertmacro SAY planDataFound \
  "Овде већ постоји продавница. Отвориће се она, са свим својим рачунима." \
  "Ovde već postoji prodavnica. Otvoriće se ona, sa svim svojim računima." \
  "There is a shop here already. It is the one that opens, with all its receipts."
!insertmacro SAY planDataKept \
  "Рачуни, артикли и подешавања остају; пре промене се прави њихова копија." \
  "Računi, artikli i podešavanja ostaju; pre promene se pravi njihova kopija." \
  "Receipts, articles and settings stay; they are copied aside before they are changed."
!insertmacro SAY runTill "Отвори касу" "Otvori kasu" "Open the till"
!insertmacro SAY serviceName \
  "Сервис (за рачунар без касе)" "Servis (za računar bez kase)" "Service (for a computer without a till)"
!insertmacro SAY iconsName \
  "Пречице у менију и на радној површини" "Prečice u meniju i na radnoj površini" \
  "Entries in the menu and on the desktop"
!insertmacro SAY autostartName \
  "Отвори касу кад се покрене Windows" "Otvori kasu kad se pokrene Windows" \
  "Open the till with Windows"

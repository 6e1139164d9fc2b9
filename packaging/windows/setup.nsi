; The installer. build.py gives VERSION, NUMBERS, OUT, SIZE_KB, COMPRESSION, FILES (a script with a
; File line for each file of the stage), BITMAP (the picture of the last page, with the commit's time,
; which is kept with it) and SIGN (a command, or nothing).
;
; Switches: /S silent, /SERVICE with the service, /AUTOSTART opens the till with Windows, /NOICONS
; without entries in menu and desktop, /ICONS with them where an earlier setup left them out, /CLOSE
; ends a running till and server first, /RESTART opens the till afterwards, /DATA=DIR another data
; folder, /D=DIR (last) another program folder. Each may be quoted as a whole. /SERVICE, /AUTOSTART
; and /ICONS also add to what is installed already; no switch takes a part away.
; Exit codes: 0 done, 1 cancelled, 2 no administrator, 3 a newer version is installed, 4 disk full,
; 5 the data folder can't be that one, 6 Windows is too old, 10 the product is in use and nothing was
; changed, 20 it failed and the old version is back, 30 installed but for rights, 31 installed but the
; service does not run, 32 installed but for the copies and the check of the databases.

Unicode true
Target amd64-unicode
ManifestDPIAware true
ManifestSupportedOS Win10
RequestExecutionLevel admin
SetCompressor /SOLID ${COMPRESSION}
!if ${COMPRESSION} == lzma
  SetCompressorDictSize 64
!endif
SetDateSave on
AllowSkipFiles off
Name "pos-app"
BrandingText "pos-app ${VERSION}"
OutFile "${OUT}"
InstallDir "$PROGRAMFILES64\pos-app"

!include MUI2.nsh
!include LogicLib.nsh
!include FileFunc.nsh
!include WinVer.nsh
!include WordFunc.nsh
!include x64.nsh

!define KEY "Software\pos-app"
!define UNINSTALL_KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\pos-app"
; In a data folder whose server is the service.
!define MARK "server-is-a-service.txt"
; In a data folder while an upgrade is under way. A program that opens the databases takes it away
; (pos_app/adapters/data_folder/upgrade_mark.py), and the old version can't open them afterwards.
!define UNOPENED "till\setup-under-way.txt"
; In the program folder, while something is lacking: what it is, and what Windows said.
!define LOG "setup.log"
; Windows 10, version 1703: the first with all that Qt asks of it.
!define OLDEST_BUILD 15063
; What the modules take once they are compiled, and what is left free.
!define COMPILED_KB 28672
; Of a label: it shortens a path in its middle, and an "&" in it is no underline.
!define PATH_STYLE 0x8080
!define SPARE_KB 102400

Var data        ; the data folder
Var dataOption  ; --data "DIR", or nothing where it is the usual one
Var installed   ; the version that is there, or nothing
Var isAside     ; 1 while the old version is renamed aside
Var isMarked    ; 1 once UNOPENED was laid, so that its lack says that the new version was opened
Var isHalf      ; 1 while a first installation is laid out
Var lacks       ; 30, 31 or 32 where all is installed but for rights, service or copies; 0 else
Var isStopped   ; 1 while the service, which ran, is stopped
Var isClosed    ; 1 while the till, which was open, is closed; 2 once it was opened again
Var hadService  ; 1 where the old version has the service
Var hadIcons    ; 1 where an entry is in the menu or on the desktop

!define MUI_ICON "pos-app.ico"
!define MUI_UNICON "pos-app.ico"
!define MUI_WELCOMEFINISHPAGE_BITMAP "${BITMAP}"
!define MUI_ABORTWARNING
!define MUI_CUSTOMFUNCTION_ABORT startAgain
!define MUI_CUSTOMFUNCTION_UNABORT un.startAgain
; Words are in the language that was chosen from here on; in .onInit they are in Windows's.
!define MUI_CUSTOMFUNCTION_GUIINIT begin
!define MUI_CUSTOMFUNCTION_UNGUIINIT un.begin
!define MUI_COMPONENTSPAGE_NODESC
; Also Serbian on a Windows in English.
!define MUI_LANGDLL_ALLLANGUAGES
!define MUI_LANGDLL_REGISTRY_ROOT HKLM
!define MUI_LANGDLL_REGISTRY_KEY "${KEY}"
!define MUI_LANGDLL_REGISTRY_VALUENAME "InstallerLanguage"
!define MUI_FINISHPAGE_RUN
!define MUI_FINISHPAGE_RUN_TEXT "$(runTill)"
!define MUI_FINISHPAGE_RUN_FUNCTION runTill
Page custom tellPlan
!define MUI_PAGE_CUSTOMFUNCTION_PRE skipInUpgrade
!define MUI_PAGE_CUSTOMFUNCTION_SHOW isLastQuestion
!insertmacro MUI_PAGE_COMPONENTS
!define MUI_PAGE_CUSTOMFUNCTION_PRE skipWhereInstalled
!define MUI_PAGE_CUSTOMFUNCTION_LEAVE ownFolder
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "Serbian"
!insertmacro MUI_LANGUAGE "SerbianLatin"
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_RESERVEFILE_LANGDLL
!include texts.nsh

VIProductVersion "${NUMBERS}"
VIFileVersion "${NUMBERS}"
!macro VERSION_TEXTS LANGUAGE
  VIAddVersionKey /LANG=${LANGUAGE} ProductName "pos-app"
  VIAddVersionKey /LANG=${LANGUAGE} ProductVersion "${VERSION}"
  VIAddVersionKey /LANG=${LANGUAGE} FileVersion "${VERSION}"
  VIAddVersionKey /LANG=${LANGUAGE} FileDescription "pos-app ${VERSION}"
  VIAddVersionKey /LANG=${LANGUAGE} LegalCopyright "MIT"
  VIAddVersionKey /LANG=${LANGUAGE} CompanyName "pos-app"
!macroend
!insertmacro VERSION_TEXTS ${LANG_SERBIAN}
!insertmacro VERSION_TEXTS ${LANG_SERBIANLATIN}
!insertmacro VERSION_TEXTS ${LANG_ENGLISH}

!ifdef SIGN
  ; NSIS keeps the uninstaller under a name of its own until it is packed; who signs wants a program.
  !uninstfinalize 'mv "%1" "%1.exe" && ${SIGN} "%1.exe" && mv "%1.exe" "%1"' = 0
  !finalize '${SIGN} "%1"' = 0
!endif

; Each part of the program folder. The uninstaller and a rollback touch nothing else there.
!macro EACH_PART DO
  !insertmacro ${DO} "python"
  !insertmacro ${DO} "lib"
  !insertmacro ${DO} "app"
  !insertmacro ${DO} "licences"
  !insertmacro ${DO} "pos-app-till.exe"
  !insertmacro ${DO} "pos-app.exe"
  !insertmacro ${DO} "pos-app-service.exe"
  !insertmacro ${DO} "uninstall.exe"
!macroend

!macro REMOVE PART
  RMDir /r "$INSTDIR\${PART}"
  Delete "$INSTDIR\${PART}"
!macroend

; Ends the setup before anything was changed.
!macro REFUSE CODE WORDS
  IfSilent +2
    MessageBox MB_OK|MB_ICONSTOP "${WORDS}"
  SetErrorLevel ${CODE}
  Quit
!macroend

!macro UNQUOTED SWITCH
  ${WordReplace} $R0 '"${SWITCH}"' '${SWITCH}' "+" $R0
!macroend

; --- used by the installer and the uninstaller -------------------------------------------------

!macro COMMON UN

; Keeps the words that were pushed, for who sees no window.
Function ${UN}note
  Exch $R9
  DetailPrint "$R9"
  ${GetTime} "" "L" $R0 $R1 $R2 $R3 $R4 $R5 $R6
  FileOpen $R8 "$INSTDIR\${LOG}" a
  FileSeek $R8 0 END
  FileWriteUTF16LE /BOM $R8 "$R2-$R1-$R0 $R4:$R5:$R6 ${VERSION} $R9$\r$\n"
  FileClose $R8
  Pop $R9
FunctionEnd

; $0 = 1 where a till or a server of any data folder runs, else 0.
Function ${UN}isRunning
  Push "Global\pos-app-server"
  Call ${UN}countOf
  ${If} $0 = 0
    Push "Global\pos-app-till"
    Call ${UN}countOf
  ${EndIf}
  ${If} $0 > 1
    StrCpy $0 1
  ${EndIf}
FunctionEnd

; $0 = 1 where two tills or two servers run, so that one of them is on another data folder.
Function ${UN}isAnotherShopOpen
  Push "Global\pos-app-server"
  Call ${UN}countOf
  ${If} $0 < 2
    Push "Global\pos-app-till"
    Call ${UN}countOf
  ${EndIf}
  ${If} $0 > 1
    StrCpy $0 1
  ${Else}
    StrCpy $0 0
  ${EndIf}
FunctionEnd

; $0 = how many programs hold the mutex: the handles of it, without ours. One of another account
; may refuse to be opened; that says that at least one is there.
Function ${UN}countOf
  Exch $1
  System::Call 'kernel32::OpenMutexW(i 0x100000, i 0, w r1) p .r2 ?e'
  Pop $3
  StrCpy $0 0
  ${If} $2 P<> 0
    ; OBJECT_BASIC_INFORMATION: attributes, access, handles, and 44 bytes more.
    System::Call '*(i 0, i 0, i 2, i, i, i, i, i, i, i, i, i, i, i) p .r4'
    System::Call 'ntdll::NtQueryObject(p r2, i 0, p r4, i 56, p 0)'
    System::Call '*$4(i, i, i .r0)'
    System::Free $4
    System::Call 'kernel32::CloseHandle(p r2)'
    IntOp $0 $0 - 1
  ${ElseIf} $3 = 5
    StrCpy $0 1
  ${EndIf}
  Pop $1
FunctionEnd

; Nothing runs any more after it, or all is as it was and it ends with 10. Nothing is stopped before
; it is known that nothing else stands in the way.
Function ${UN}closeOld
  Call ${UN}isAsked
  ${If} $2 = 1
    Call ${UN}closeTill
  ${EndIf}
  Call ${UN}isInTheWay
  ${If} $0 = 1
  ${AndIfNot} ${Silent}
    again:
    MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(isRunning)" IDCANCEL stay
    Call ${UN}closeTill
    Call ${UN}isInTheWay
    IntCmp $0 1 again
  ${EndIf}
  IntCmp $0 1 stay
  ${If} $hadService = 1
    nsExec::Exec '"$INSTDIR\pos-app-service.exe" --stop'
    Pop $0
    ${If} $0 == 0
      StrCpy $isStopped 1
    ${EndIf}
    Call ${UN}isRunning
    IntCmp $0 1 stay
  ${EndIf}
  Return
  stay:
  Call ${UN}startAgain
  SetErrorLevel 10
  Quit
FunctionEnd

; $R0 = what was given, with each switch as NSIS reads it: deploy tools quote a whole argument, and a
; switch within quotes would be passed over without a word.
Function ${UN}readParameters
  ${GetParameters} $R0
  ${WordReplace} $R0 '"/DATA=' '/DATA="' "+" $R0
  ${WordReplace} $R0 '"/D=' '/D="' "+" $R0
  !insertmacro UNQUOTED "/SERVICE"
  !insertmacro UNQUOTED "/AUTOSTART"
  !insertmacro UNQUOTED "/NOICONS"
  !insertmacro UNQUOTED "/ICONS"
  !insertmacro UNQUOTED "/CLOSE"
  !insertmacro UNQUOTED "/RESTART"
FunctionEnd

; NSIS itself knows /S only where it has no quotes.
Function ${UN}readSilent
  ${GetParameters} $0
  ${WordReplace} $0 '"/S"' "" "+" $1
  ${If} $0 != $1
    SetSilent silent
  ${EndIf}
FunctionEnd

; $2 = 1 where /CLOSE was given.
Function ${UN}isAsked
  Call ${UN}readParameters
  ClearErrors
  StrCpy $2 1
  ${GetOptions} $R0 "/CLOSE" $R1
  IfErrors 0 +2
    StrCpy $2 0
FunctionEnd

; The till and its server, and those of its demo. Where another shop is open there is no way on, and
; nothing is closed in vain. A server that is the service's is left to the service.
Function ${UN}closeTill
  Push "Global\pos-app-till"
  Call ${UN}countOf
  StrCpy $5 $0
  nsExec::Exec '"$INSTDIR\pos-app.exe" stop --alone --wait 60$dataOption'
  Pop $0
  ${If} $0 = 2 ; the version that is there does not know --alone
    Call ${UN}isAnotherShopOpen
    ${If} $0 = 0
      nsExec::Exec '"$INSTDIR\pos-app.exe" stop --wait 60$dataOption'
      Pop $0
    ${EndIf}
  ${EndIf}
  Push "Global\pos-app-till"
  Call ${UN}countOf
  ${If} $0 < $5
    StrCpy $isClosed 1
  ${EndIf}
FunctionEnd

; $0 = 1 where a program runs that is not the service's own.
Function ${UN}isInTheWay
  ${If} $hadService = 1
    Call ${UN}isAnotherShopOpen
    ${If} $0 = 0
      Push "Global\pos-app-till"
      Call ${UN}countOf
    ${EndIf}
  ${Else}
    Call ${UN}isRunning
  ${EndIf}
FunctionEnd

; What was stopped and closed, after an abort.
Function ${UN}startAgain
  ${If} $isStopped = 1
    nsExec::Exec '"$INSTDIR\pos-app-service.exe" --start'
    Pop $0
    StrCpy $isStopped 0
    ${If} $0 != 0
      Push "$(serviceDown)"
      Call ${UN}note
      IfSilent +2
        MessageBox MB_OK|MB_ICONSTOP "$(serviceDown)"
    ${EndIf}
  ${EndIf}
  ${If} $isClosed = 1
    Call ${UN}runTill
  ${EndIf}
FunctionEnd

; Through the shell, so that the till does not run as administrator.
Function ${UN}runTill
  StrCpy $isClosed 2
  ${If} $dataOption == ""
    Exec '"$WINDIR\explorer.exe" "$INSTDIR\pos-app-till.exe"'
  ${Else}
    Exec '"$WINDIR\explorer.exe" "$SMPROGRAMS\pos-app.lnk"'
  ${EndIf}
FunctionEnd

Function ${UN}readInstalled
  SetRegView 64
  SetShellVarContext all
  ReadRegStr $installed HKLM "${KEY}" "Version"
  ReadRegDWORD $hadService HKLM "${KEY}" "Service"
  ReadRegStr $data HKLM "${KEY}" "Data"
  ${If} $data == ""
    StrCpy $data "$APPDATA\pos-app"
  ${EndIf}
  Push $data
  Call ${UN}wholePath
  Pop $data
FunctionEnd

; The path that was pushed, from its drive on and without a backslash at its end: one before the
; quote of a command line would take the quote along.
Function ${UN}wholePath
  Exch $R9
  System::Call 'kernel32::GetFullPathNameW(w R9, i ${NSIS_MAX_STRLEN}, w .R8, p 0)'
  StrCpy $R9 $R8
  StrCpy $R8 $R9 1 -1
  ${If} $R8 == "\"
    StrCpy $R9 $R9 -1
  ${EndIf}
  Exch $R9
FunctionEnd

Function ${UN}setDataOption
  StrCpy $dataOption ""
  ${If} $data != "$APPDATA\pos-app"
    StrCpy $dataOption ' --data "$data"'
  ${EndIf}
FunctionEnd

; One setup at a time. A launcher that shows why the till did not open ends by this mutex
; (launcher.c, leave_for_setup), so that it does not keep its file from being removed.
Function ${UN}onlySetup
  System::Call 'kernel32::CreateMutexW(p 0, i 0, w "Global\pos-app-setup") p .r1 ?e'
  Pop $2
  ${If} $2 = 183
  ${OrIf} $2 = 5
    !insertmacro REFUSE 10 "$(otherSetup)"
  ${EndIf}
FunctionEnd

Function ${UN}mustBeAdministrator
  UserInfo::GetAccountType
  Pop $0
  ${If} $0 != "Admin"
    !insertmacro REFUSE 2 "$(noAdministrator)"
  ${EndIf}
FunctionEnd
!macroend

!insertmacro COMMON ""
!insertmacro COMMON "un."

; --- the installer -----------------------------------------------------------------------------

Function .onInit
  Call readSilent
  SetErrorLevel 1 ; of a cancel where the language is asked for
  !insertmacro MUI_LANGDLL_DISPLAY
  SetErrorLevel -1
  ${If} ${Silent} ; without a window nobody calls it
    Call begin
  ${EndIf}
FunctionEnd

; What has to be so before anything is changed.
Function begin
  StrCpy $lacks 0
  ${IfNot} ${AtLeastBuild} ${OLDEST_BUILD}
    !insertmacro REFUSE 6 "$(oldWindows)"
  ${EndIf}
  Call mustBeAdministrator
  Call readInstalled
  ReadRegStr $0 HKLM "${KEY}" "Folder"
  ${If} $installed != ""
    StrCpy $INSTDIR $0
    ${VersionCompare} "$installed" "${VERSION}" $1
    ${If} $1 = 1
      !insertmacro REFUSE 3 "$(isNewer)"
    ${EndIf}
  ${EndIf}
  Call readSwitches
  Call mayBeData
  Call ownFolder
  Call preselect
  Call onlySetup
  Call enoughDisk
  Call closeOld
  Call recover
FunctionEnd

Function readSwitches
  Call readParameters
  ClearErrors
  ${GetOptions} $R0 "/D=" $R1 ; in quotes: without them NSIS took it off the line
  ${IfNot} ${Errors}
  ${AndIf} $R1 != ""
  ${AndIf} $installed == ""
    Push $R1
    Call wholePath
    Pop $INSTDIR
  ${EndIf}
  ClearErrors
  ${GetOptions} $R0 "/DATA=" $R1
  ${IfNot} ${Errors}
  ${AndIf} $R1 != ""
    ; NSIS ends a value at a slash, so that C:/shop comes as C:, which is any folder.
    StrCpy $0 $R1 2
    StrCpy $2 $R1 2 1
    ${If} $0 != "\\"
    ${AndIf} $2 != ":\"
      !insertmacro REFUSE 5 "$(badData)"
    ${EndIf}
    Push $R1
    Call wholePath
    Pop $R1
    ; What is closed, copied aside and upgraded is the folder of the installed version.
    ${If} $installed == ""
      StrCpy $data $R1
    ${ElseIf} $R1 != $data
      !insertmacro REFUSE 5 "$(otherData)"
    ${EndIf}
  ${EndIf}
  Call setDataOption
FunctionEnd

; The rights of a whole drive are not ours to set. A drive that is not there may have the shop on it.
Function mayBeData
  StrCpy $0 $data 1 1
  ${If} $0 == ":"
    StrCpy $0 $data 2
    System::Call 'kernel32::GetFileAttributesW(w "$0\") i .r1'
    StrCpy $R1 $data
    ${If} $0 == $data
    ${OrIf} $1 = -1
      !insertmacro REFUSE 5 "$(badData)"
    ${EndIf}
  ${EndIf}
FunctionEnd

; A folder that holds something else gets a folder of ours within.
Function ownFolder
  ${If} ${FileExists} "$INSTDIR\*.*"
  ${AndIfNot} ${FileExists} "$INSTDIR\pos-app.exe"
  ${AndIfNot} ${FileExists} "$INSTDIR\old\*.*"
    FindFirst $0 $1 "$INSTDIR\*"
    ${DoWhile} $1 != ""
      ${If} $1 != "."
      ${AndIf} $1 != ".."
        StrCpy $INSTDIR "$INSTDIR\pos-app"
        ${ExitDo}
      ${EndIf}
      FindNext $0 $1
    ${Loop}
    FindClose $0
  ${EndIf}
FunctionEnd

Function enoughDisk
  StrCpy $0 $INSTDIR 3
  System::Call 'kernel32::GetDiskFreeSpaceExW(w r0, *l .r1, p 0, p 0) i .r2'
  ${If} $2 <> 0
    System::Int64Op $1 / 1024
    Pop $1
    IntOp $3 ${SIZE_KB} + ${SPARE_KB}
    ${If} ${FileExists} "$INSTDIR\old\*.*" ; what lies beside it is taken away first
      ${GetSize} "$INSTDIR" "/S=0K" $4 $5 $6
      IntOp $3 $3 - $4
      ${GetSize} "$INSTDIR\old" "/S=0K" $4 $5 $6
      IntOp $3 $3 + $4
    ${EndIf}
    System::Int64Op $1 < $3
    Pop $4
    ${If} $4 = 1
      !insertmacro REFUSE 4 "$(noDisk)"
    ${EndIf}
  ${EndIf}
FunctionEnd

; --- pages -------------------------------------------------------------------------------------

!macro TELL TOP HEIGHT STYLE FONT WORDS
  ${NSD_CreateLabel} 0 ${TOP}u 100% ${HEIGHT}u "${WORDS}"
  Pop $0
  ${NSD_AddStyle} $0 ${STYLE}
  SendMessage $0 ${WM_SETFONT} ${FONT} 0
!macroend

; What is installed, where to, and from which version to which: before anything is asked.
Function tellPlan
  !insertmacro MUI_HEADER_TEXT "$(planTitle)" "$(planAbout)"
  nsDialogs::Create 1018
  Pop $0
  ${If} $installed == ""
    StrCpy $R1 "$(planFirst)"
    StrCpy $R2 "$(planDataNew)"
    ${If} ${FileExists} "$data\journal\journal.db"
      StrCpy $R2 "$(planDataFound)"
    ${EndIf}
  ${ElseIf} $installed == "${VERSION}"
    StrCpy $R1 "$(planAgain)"
    StrCpy $R2 "$(planDataKept)"
  ${Else}
    StrCpy $R1 "$(planUpgrade)"
    StrCpy $R2 "$(planDataKept)"
  ${EndIf}
  ${If} $hadService = 1
    StrCpy $R3 "$(planParts) $(planService)"
  ${Else}
    StrCpy $R3 "$(planParts)"
  ${EndIf}
  CreateFont $1 "$(^Font)" "$(^FontSize)" 700
  CreateFont $2 "$(^Font)" "$(^FontSize)" 400
  !insertmacro TELL 0 10 0 $1 "$(planVersionHead)"
  !insertmacro TELL 10 18 0 $2 "$R1"
  !insertmacro TELL 32 10 0 $1 "$(planPartsHead)"
  !insertmacro TELL 42 26 0 $2 "$R3"
  !insertmacro TELL 72 10 0 $1 "$(planFolderHead)"
  !insertmacro TELL 82 10 ${PATH_STYLE} $2 "$INSTDIR"
  !insertmacro TELL 98 10 0 $1 "$(planDataHead)"
  !insertmacro TELL 108 10 ${PATH_STYLE} $2 "$data"
  !insertmacro TELL 118 18 0 $2 "$R2"
  ${If} $installed != ""
  ${AndIf} $installed != "${VERSION}"
    Call isLastQuestion
  ${EndIf}
  nsDialogs::Show
FunctionEnd

; An upgrade keeps the parts that are there; the same version again may add some.
Function skipInUpgrade
  ${If} $installed != ""
  ${AndIf} $installed != "${VERSION}"
    Abort
  ${EndIf}
FunctionEnd

Function skipWhereInstalled
  ${If} $installed != ""
    Abort
  ${EndIf}
FunctionEnd

; The button says so where no other page follows; NSIS itself counts the pages that are skipped.
Function isLastQuestion
  ${If} $installed != ""
    GetDlgItem $0 $HWNDPARENT 1
    SendMessage $0 ${WM_SETTEXT} 0 "STR:$(^InstallBtn)"
  ${EndIf}
FunctionEnd

; --- the old version, aside while the new one is tried -------------------------------------------

!macro PUT_ASIDE PART
  ${If} ${FileExists} "$INSTDIR\${PART}"
    ClearErrors
    Rename "$INSTDIR\${PART}" "$INSTDIR\old\${PART}"
    IfErrors inUse
  ${EndIf}
!macroend

!macro TAKE_AWAY PART
  ${If} ${FileExists} "$INSTDIR\old\${PART}"
  ${AndIf} ${FileExists} "$INSTDIR\${PART}"
    ClearErrors
    Rename "$INSTDIR\${PART}" "$INSTDIR\gone\${PART}"
    IfErrors inUse
  ${EndIf}
!macroend

!macro BRING_BACK PART
  ${If} ${FileExists} "$INSTDIR\gone\${PART}"
    Rename "$INSTDIR\gone\${PART}" "$INSTDIR\${PART}"
  ${EndIf}
!macroend

!macro PUT_BACK PART
  ${If} ${FileExists} "$INSTDIR\old\${PART}"
    !insertmacro REMOVE "${PART}"
    Rename "$INSTDIR\old\${PART}" "$INSTDIR\${PART}"
  ${EndIf}
!macroend

; What the power took in the middle of an upgrade: the old version comes back first, or, where a whole
; new one was opened since, the new one stays. It is not begun while the new one is in use, and a part
; that was opened since can't be renamed: then all of it stays.
Function recover
  ${If} ${FileExists} "$INSTDIR\old\*.*"
    Call isRunning
    IntCmp $0 1 inUse
    RMDir /r "$INSTDIR\gone"
    ${If} ${FileExists} "$INSTDIR\old\uninstall.exe"
    ${AndIf} ${FileExists} "$INSTDIR\uninstall.exe" ; laid out last: all of the new version is there
    ${AndIfNot} ${FileExists} "$data\${UNOPENED}"
      Rename "$INSTDIR\old" "$INSTDIR\gone"
    ${Else}
      CreateDirectory "$INSTDIR\gone"
      !insertmacro EACH_PART TAKE_AWAY
      !insertmacro EACH_PART PUT_BACK
      RMDir "$INSTDIR\old"
    ${EndIf}
  ${EndIf}
  RMDir /r "$INSTDIR\gone"
  Return
  inUse:
  !insertmacro EACH_PART BRING_BACK
  RMDir "$INSTDIR\gone"
  Call startAgain
  !insertmacro REFUSE 10 "$(isRunning)"
FunctionEnd

Function putAside
  ClearErrors
  CreateDirectory "$data\till"
  FileOpen $0 "$data\${UNOPENED}" w
  FileClose $0
  ${If} ${FileExists} "$data\${UNOPENED}"
    StrCpy $isMarked 1
  ${EndIf}
  CreateDirectory "$INSTDIR\old"
  StrCpy $isAside 1
  !insertmacro EACH_PART PUT_ASIDE
  Return
  inUse:
  Call putBack
  SetErrorLevel 10
  Abort "$(isRunning)"
FunctionEnd

; The new version may have been opened meanwhile. It is closed as the old one was; while it stays open
; all of it stays too, and it ends with 10: the next setup goes on from there (recover).
Function closeNew
  Push $isAside
  Push $isHalf
  StrCpy $isAside 0 ; of an end in closeOld nothing is put back
  StrCpy $isHalf 0
  Call closeOld
  Pop $isHalf
  Pop $isAside
FunctionEnd

Function rollBack
  Call closeNew
  Call putBack
FunctionEnd

Function putBack
  ${If} $isAside = 1
    SetOutPath "$INSTDIR"
    !insertmacro EACH_PART PUT_BACK
    RMDir "$INSTDIR\old"
    Delete "$data\${UNOPENED}"
    StrCpy $isAside 0
  ${EndIf}
  ${If} $isHalf = 1
    SetOutPath "$TEMP"
    !insertmacro EACH_PART REMOVE
    RMDir "$INSTDIR"
    StrCpy $isHalf 0
  ${EndIf}
  Call startAgain
FunctionEnd

Function .onInstFailed
  ${If} $isAside = 1
  ${OrIf} $isHalf = 1
    Call rollBack
    SetErrorLevel 20
  ${EndIf}
  Call restart
FunctionEnd

Function .onInstSuccess
  Call restart
FunctionEnd

; What closed the till for an update opens it again, in the new version or the old one.
Function restart
  Call readParameters
  ClearErrors
  ${GetOptions} $R0 "/RESTART" $R1
  ${IfNot} ${Errors}
  ${AndIf} $isClosed <> 2
    Call runTill
  ${EndIf}
FunctionEnd

; --- sections ----------------------------------------------------------------------------------

Section "-program"
  SectionIn RO
  AddSize ${COMPILED_KB}
  SetDetailsPrint textonly
  Call isRunning
  ${If} $0 = 1
  ${AndIfNot} ${Silent} ; it was opened while a person read the pages
    Call closeOld
    Call isRunning
  ${EndIf}
  ${If} $0 = 1
    Call startAgain
    SetErrorLevel 10
    Abort "$(isRunning)"
  ${EndIf}
  ${If} $installed != ""
    Call putAside
  ${Else}
    StrCpy $isHalf 1
  ${EndIf}
  ClearErrors
  !include "${FILES}"
  SetOutPath "$INSTDIR"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  ${If} ${Errors}
    Call rollBack
    SetErrorLevel 20
    ${If} $installed == ""
      Abort "$(notInstalled)"
    ${EndIf}
    Abort "$(failed)"
  ${EndIf}
  Call compile
  Call makeData
SectionEnd

Section "$(iconsName)" icons
SectionEnd

Section /o "$(autostartName)" autostart
SectionEnd

Section /o "$(serviceName)" service
SectionEnd

!macro SELECTED_BY SWITCH PART
  ClearErrors
  ${GetOptions} $R0 "${SWITCH}" $R1
  ${IfNot} ${Errors}
    !insertmacro SelectSection ${PART}
  ${EndIf}
!macroend

; Which parts are chosen before a person is asked: those that are there, and those of the switches.
Function preselect
  StrCpy $hadIcons 0
  ${If} ${FileExists} "$SMPROGRAMS\pos-app.lnk"
  ${OrIf} ${FileExists} "$DESKTOP\pos-app.lnk"
    StrCpy $hadIcons 1
  ${EndIf}
  Call readParameters
  ClearErrors
  ${GetOptions} $R0 "/NOICONS" $R1
  ${If} $installed != ""
    ${If} $hadIcons = 0
      !insertmacro UnselectSection ${icons}
    ${EndIf}
    ${If} ${FileExists} "$SMSTARTUP\pos-app.lnk"
      !insertmacro SelectSection ${autostart}
    ${EndIf}
    ${If} $hadService = 1 ; it is taken away with the program alone
      !insertmacro SelectSection ${service}
      !insertmacro SetSectionFlag ${service} ${SF_RO}
    ${EndIf}
  ${ElseIfNot} ${Errors}
    !insertmacro UnselectSection ${icons}
  ${EndIf}
  !insertmacro SELECTED_BY "/ICONS" ${icons}
  !insertmacro SELECTED_BY "/AUTOSTART" ${autostart}
  !insertmacro SELECTED_BY "/SERVICE" ${service}
FunctionEnd

Section "-finish"
  ${If} $installed != ""
    Call upgradeData
  ${EndIf}
  StrCpy $isHalf 0
  Call giveLanguage
  Call setRights
  Call register
  Call makeService
  Call makeIcons
  Call makeAutostart
  ; From here on nothing goes back. One rename, so that the power never leaves half of it.
  ${If} $isAside = 1
    Rename "$INSTDIR\old" "$INSTDIR\gone"
    StrCpy $isAside 0
    RMDir /r "$INSTDIR\gone"
  ${EndIf}
  Call tellLack
  ; An update was started as a copy of its own (pos_app/adapters/updates/elevated_install.py).
  ${If} $EXEDIR == "$INSTDIR\update"
    Delete /REBOOTOK "$EXEPATH"
    SetRebootFlag false
  ${EndIf}
SectionEnd

; The exit code; in words too where something is lacking.
Function tellLack
  SetErrorLevel $lacks
  ${If} $lacks = 0
    Delete "$INSTDIR\${LOG}"
  ${ElseIfNot} ${Silent}
    ${If} $lacks = 30
      MessageBox MB_OK|MB_ICONEXCLAMATION "$(noRights)"
    ${ElseIf} $lacks = 32
      MessageBox MB_OK|MB_ICONEXCLAMATION "$(notUpgraded)"
    ${Else}
      MessageBox MB_OK|MB_ICONEXCLAMATION "$(serviceDown)"
    ${EndIf}
  ${EndIf}
FunctionEnd

; Nobody may write there later, so that Python could not keep what it compiles. It is done here
; because compiled modules pack worse than their sources: 5 MB of the installer.
Function compile
  DetailPrint "$(compiling)"
  nsExec::Exec '"$INSTDIR\pos-app.exe" -m compileall -q --invalidation-mode unchecked-hash "$INSTDIR\app" "$INSTDIR\lib"'
  Pop $0
FunctionEnd

Function makeData
  CreateDirectory "$data"
  CreateDirectory "$data\till"
  CreateDirectory "$data\catalogue"
  CreateDirectory "$data\journal"
  ${IfNot} ${FileExists} "$data\journal\*.*"
    Call rollBack
    SetErrorLevel 20
    ${IfNot} ${Silent}
      MessageBox MB_OK|MB_ICONSTOP "$(noData)"
    ${EndIf}
    Abort "$(noData)"
  ${EndIf}
FunctionEnd

; The till of a shop that has no settings yet opens in the language that a person chose here. Serbian
; Cyrillic is what it speaks at first; and nobody chose where setup is silent.
Function giveLanguage
  StrCpy $0 ""
  ${If} $LANGUAGE = ${LANG_SERBIANLATIN}
    StrCpy $0 "sr-Latn"
  ${ElseIf} $LANGUAGE = ${LANG_ENGLISH}
    StrCpy $0 "en"
  ${EndIf}
  ${IfNot} ${Silent}
  ${AndIf} $0 != ""
  ${AndIf} $installed == ""
  ${AndIfNot} ${FileExists} "$data\settings.toml"
  ${AndIfNot} ${FileExists} "$data\settings.last-good.toml" ; it comes back where the settings are lost
    FileOpen $1 "$data\settings.toml" w
    FileWrite $1 '[till]$\nlanguage = "$0"$\n'
    FileClose $1
  ${EndIf}
FunctionEnd

; A new version that was opened meanwhile has migrated the databases as it opened: the old one can't
; open them any more, so it does not come back over them.
Function upgradeData
  DetailPrint "$(upgrading)"
  StrCpy $R7 0
  ${If} $isMarked = 1
  ${AndIfNot} ${FileExists} "$data\${UNOPENED}"
    StrCpy $R7 1
  ${EndIf}
  nsExec::ExecToLog '"$INSTDIR\pos-app.exe" upgrade$dataOption'
  Pop $0
  ${If} $0 = 10
    Call closeNew
    StrCpy $R7 1
    nsExec::ExecToLog '"$INSTDIR\pos-app.exe" upgrade$dataOption'
    Pop $0
  ${EndIf}
  ${If} $0 != 0
  ${AndIf} $R7 = 0
    Call rollBack
    SetErrorLevel 20
    ${IfNot} ${Silent}
      MessageBox MB_OK|MB_ICONSTOP "$(failed)"
    ${EndIf}
    Abort "$(failed)"
  ${ElseIf} $0 != 0
    StrCpy $lacks 32
    Push "$(notUpgraded)"
    Call note
  ${EndIf}
  Delete "$data\${UNOPENED}"
FunctionEnd

; From its own folder: one that lies beside the setup is not Windows's.
!macro RIGHTS WORDS
  nsExec::ExecToStack '"$SYSDIR\icacls.exe" ${WORDS}'
  Pop $2
  Pop $4
  ${If} $2 != 0
    Call lacksRights
    Push 'icacls ${WORDS}: $2 $4'
    Call note
  ${EndIf}
!macroend

Function lacksRights
  ${If} $lacks <> 32
    StrCpy $lacks 30
  ${EndIf}
FunctionEnd

; S-1-5-18 is the system, 32-544 administrators, 32-545 users, 5-19 the service's account.
; The mark keeps tills from starting a server there (pos_app/adapters/server_process/service.py).
Function setRights
  StrCpy $1 "*S-1-5-18:(OI)(CI)F *S-1-5-32-544:(OI)(CI)F"
  Call wantsService
  ${If} $0 = 1
    Call setMark
    !insertmacro RIGHTS '"$data" /inheritance:r /grant:r $1 *S-1-5-19:(OI)(CI)M *S-1-5-32-545:RX'
    !insertmacro RIGHTS '"$data\journal" /inheritance:r /grant:r $1 *S-1-5-19:(OI)(CI)M'
    !insertmacro RIGHTS '"$data\till" /grant:r *S-1-5-32-545:(OI)(CI)M'
    !insertmacro RIGHTS '"$data\catalogue" /grant:r *S-1-5-32-545:(OI)(CI)M'
    !insertmacro RIGHTS '"$data\${MARK}" /grant *S-1-5-32-545:R'
  ${Else}
    ${If} ${FileExists} "$data\${MARK}" ; it had the service: what is in it opens to the tills
      !insertmacro RIGHTS '"$data\*" /reset /T /C'
      ClearErrors
      Delete "$data\${MARK}"
      Call noteMark
    ${EndIf}
    !insertmacro RIGHTS '"$data" /inheritance:r /grant:r $1 *S-1-5-32-545:(OI)(CI)M'
  ${EndIf}
FunctionEnd

Function setMark
  ClearErrors
  FileOpen $3 "$data\${MARK}" w
  FileWrite $3 "The server of this folder is the service pos-app of this computer.$\r$\n"
  FileClose $3
  Call noteMark
FunctionEnd

Function noteMark
  ${If} ${Errors}
    Call lacksRights
    Push "$data\${MARK} could not be written or removed."
    Call note
  ${EndIf}
FunctionEnd

; $0 = 1 where this installation has the service.
Function wantsService
  StrCpy $0 0
  ${If} ${SectionIsSelected} ${service}
    StrCpy $0 1
  ${EndIf}
FunctionEnd

Function makeService
  Call wantsService
  WriteRegDWORD HKLM "${KEY}" "Service" $0
  ${If} $0 = 1
    nsExec::ExecToLog '"$INSTDIR\pos-app-service.exe" --install "$data"'
    Pop $1
    ${If} $1 == 0
      nsExec::ExecToLog '"$INSTDIR\pos-app-service.exe" --start'
      Pop $1
    ${EndIf}
    ${If} $1 != 0
      Push "$(serviceDown)"
      Call note
      ${If} $lacks = 0
        StrCpy $lacks 31
      ${EndIf}
    ${EndIf}
  ${EndIf}
FunctionEnd

; What a person took away does not come back with each version: an upgrade chooses only what is there.
Function makeIcons
  ${If} ${SectionIsSelected} ${icons}
    ${If} $hadIcons = 0
    ${OrIf} $installed == ""
      SetOutPath "$INSTDIR"
      CreateShortcut "$SMPROGRAMS\pos-app.lnk" "$INSTDIR\pos-app-till.exe" "$dataOption"
      CreateShortcut "$DESKTOP\pos-app.lnk" "$INSTDIR\pos-app-till.exe" "$dataOption"
    ${EndIf}
  ${Else}
    Delete "$SMPROGRAMS\pos-app.lnk"
    Delete "$DESKTOP\pos-app.lnk"
  ${EndIf}
FunctionEnd

; For whoever signs in to this computer. In that folder a person finds it, and the Task Manager too.
Function makeAutostart
  ${If} ${SectionIsSelected} ${autostart}
    SetOutPath "$INSTDIR"
    CreateShortcut "$SMSTARTUP\pos-app.lnk" "$INSTDIR\pos-app-till.exe" "$dataOption"
  ${Else}
    Delete "$SMSTARTUP\pos-app.lnk"
  ${EndIf}
FunctionEnd

Function register
  WriteRegStr HKLM "${KEY}" "Version" "${VERSION}"
  WriteRegStr HKLM "${KEY}" "Folder" "$INSTDIR"
  WriteRegStr HKLM "${KEY}" "Data" "$data"
  WriteRegStr HKLM "${UNINSTALL_KEY}" "DisplayName" "pos-app"
  WriteRegStr HKLM "${UNINSTALL_KEY}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKLM "${UNINSTALL_KEY}" "DisplayIcon" "$INSTDIR\pos-app-till.exe"
  WriteRegStr HKLM "${UNINSTALL_KEY}" "Publisher" "pos-app"
  WriteRegStr HKLM "${UNINSTALL_KEY}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKLM "${UNINSTALL_KEY}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKLM "${UNINSTALL_KEY}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  IntOp $0 ${SIZE_KB} + ${COMPILED_KB}
  WriteRegDWORD HKLM "${UNINSTALL_KEY}" "EstimatedSize" $0
  WriteRegDWORD HKLM "${UNINSTALL_KEY}" "NoModify" 1
  WriteRegDWORD HKLM "${UNINSTALL_KEY}" "NoRepair" 1
FunctionEnd

; --- the uninstaller ---------------------------------------------------------------------------

Function un.onInit
  Call un.readSilent
  !insertmacro MUI_UNGETLANGUAGE
  ${If} ${Silent}
    Call un.begin
  ${EndIf}
FunctionEnd

Function un.begin
  Call un.mustBeAdministrator
  Call un.readInstalled
  Call un.setDataOption
  Call un.onlySetup
  Call un.closeOld
FunctionEnd

Section "un.program"
  ${If} $hadService = 1
    nsExec::ExecToLog '"$INSTDIR\pos-app-service.exe" --remove'
    Pop $0
  ${EndIf}
  !insertmacro EACH_PART REMOVE
  RMDir /r "$INSTDIR\old"
  RMDir /r "$INSTDIR\gone"
  RMDir /r "$INSTDIR\update"
  Delete "$INSTDIR\${LOG}"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\pos-app.lnk"
  Delete "$DESKTOP\pos-app.lnk"
  Delete "$SMSTARTUP\pos-app.lnk"
  DeleteRegKey HKLM "${UNINSTALL_KEY}"
  DeleteRegKey HKLM "${KEY}"
  ; Where the data are stays known: installed again, the program opens the same shop.
  ${If} $dataOption != ""
    WriteRegStr HKLM "${KEY}" "Data" "$data"
  ${EndIf}
  DetailPrint "$(kept)"
  ${IfNot} ${Silent}
    MessageBox MB_OK|MB_ICONINFORMATION "$(kept)"
  ${EndIf}
SectionEnd
